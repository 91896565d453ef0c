// Plots as SVG: scales with round ticks, a legend of the needed size, and the same marks for each architecture.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <backlit/render/line_plot.hpp>
#include "study/report/figures/svg.hpp"
#include "study/study_result.hpp"

namespace backlit::report {

inline constexpr double plot_width = 420, small_text = 11, label_text = 11.5;  ///< px

/// A colour and a shape for every architecture. Known architectures have the same ones in all figures of all studies.
class Palette {
 public:
  explicit Palette(const StudyResult&);
  /// "s0" to "s7".
  std::string style(const std::string& architecture) const;
  std::size_t index(const std::string& architecture) const;

 private:
  std::map<std::string, std::size_t> known_;
};

struct Scale {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<double> ticks;

  /// Position of a value: 0 at low, 1 at high.
  double share(double value) const;
};

enum class Growth { linear, from_zero, logarithmic };

/// A scale that contains all finite values (for logarithms: positive ones) and ends at or beyond round numbers. Without
/// values: 0 to 1, or 1 to 10.
Scale scale_of(const std::vector<double>& values, Growth);
/// A logarithmic scale if the largest value is more than `factor` times the least; otherwise from zero.
Scale scale_for(const std::vector<double>& values, double factor);

struct LegendEntry {
  std::string text;
  std::string style;      ///< Palette::style(), or a line's own
  std::size_t shape = 0;  ///< from Palette::index()
  bool line = false;      ///< a stroke instead of a mark
};

class Plot {
 public:
  /// Draws axes and legend. `right` px stay free at the right of the plot.
  Plot(const PlotText&, Scale x, Scale y, const std::vector<LegendEntry>&, double height = 250, double right = 18);

  Point at(double x, double y) const;
  void mark(double x, double y, const std::string& style, std::size_t shape, bool hollow, const std::string& tip);
  /// Draws a vertical line from low to high at x.
  void whisker(double x, double low, double high, const std::string& style);
  void curve(const std::vector<double>& x, const std::vector<double>& y, const std::string& style);
  Svg& svg() { return svg_; }
  double right() const { return right_; }
  double top() const { return top_; }
  double bottom() const { return bottom_; }
  std::string finish() const { return svg_.finish(); }

 private:
  void draw_x_axis(const std::string& label);
  void draw_y_axis(const std::string& label);

  Scale x_, y_;
  double left_, right_, top_, bottom_;
  Svg svg_;
};

/// A single mark.
void draw_mark(Svg&, Point, const std::string& style, std::size_t shape, bool hollow);

/// Height of the legend's rows at `width`.
double legend_height(const std::vector<LegendEntry>&, double width);
void draw_legend(Svg&, const std::vector<LegendEntry>&, double width);

/// Label of a tick: "0.5", "20", "10k", "1e6".
std::string tick_text(double);

}  // namespace backlit::report

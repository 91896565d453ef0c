// A curve with its axes, for reports.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <backlit/render/image.hpp>

namespace backlit {

/// Texts around a curve.
struct PlotText {
  std::string title, x_label, y_label;
};

/// Where an axis has its marks: round numbers (1, 2, 5 times a power of ten; powers of ten alone on a
/// logarithmic scale of several decades) within [low, high].
std::vector<double> round_ticks(double low, double high, bool logarithmic);

/// Values y[i] over x[i], joined by lines, dots where there are few; y on a logarithmic scale. Values that have no
/// logarithm are left out. Throws InputError when none is left.
Image plot_logarithmic(std::span<const double> x, std::span<const double> y, const PlotText&, std::int64_t width = 720,
                       std::int64_t height = 440);

/// One of several lines in a plot.
struct Curve {
  std::string name;  ///< for the legend; empty: not in it
  std::vector<double> x, y;
};

/// Curves on linear scales, dots where there are few, with a legend. `from_zero` makes the y axis begin at 0. Values
/// that are not finite are left out. Throws InputError when none is left.
Image plot_curves(std::span<const Curve> curves, const PlotText&, bool from_zero, std::int64_t width = 720,
                  std::int64_t height = 440);

/// The same on logarithmic scales, both; values that are not above 0 are left out.
Image plot_curves_logarithmic(std::span<const Curve> curves, const PlotText&, std::int64_t width = 720,
                              std::int64_t height = 440);

}  // namespace backlit

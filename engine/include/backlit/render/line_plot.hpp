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

/// The marks of an axis: round numbers within [low, high]. Round numbers are 1, 2, 5 times a power of ten, or powers of
/// ten alone on a logarithmic scale of several decades.
std::vector<double> round_ticks(double low, double high, bool logarithmic);

/// Plots y[i] over x[i], joined by lines, with dots where there are few values; y has a logarithmic scale. Values
/// without a logarithm are left out. Throws InputError when none is left.
Image plot_logarithmic(std::span<const double> x, std::span<const double> y, const PlotText&, std::int64_t width = 720,
                       std::int64_t height = 440);

/// One of several lines in a plot.
struct Curve {
  std::string name;  ///< for the legend; empty: not in the legend
  std::vector<double> x, y;
};

/// Plots curves on linear scales with a legend, and with dots where there are few values. `from_zero` makes the y axis
/// begin at 0. Values that are not finite are left out. Throws InputError when none is left.
Image plot_curves(std::span<const Curve> curves, const PlotText&, bool from_zero, std::int64_t width = 720,
                  std::int64_t height = 440);

/// The same with both scales logarithmic. Values that are not above 0 are left out.
Image plot_curves_logarithmic(std::span<const Curve> curves, const PlotText&, std::int64_t width = 720,
                              std::int64_t height = 440);

}  // namespace backlit

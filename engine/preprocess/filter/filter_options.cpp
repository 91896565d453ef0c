#include <backlit/preprocess/filter_options.hpp>

#include <array>
#include <cmath>

#include <backlit/geometry/types.hpp>

namespace backlit {
namespace {

constexpr std::array windows{"ram-lak", "shepp-logan", "cosine", "hann", "hamming", "hilbert", "none"};
constexpr std::array variants{"auto", "host", "fft", "convolution"};

}  // namespace

const char* name(FilterWindow w) { return windows[static_cast<std::size_t>(w)]; }
const char* name(FilterVariant v) { return variants[static_cast<std::size_t>(v)]; }

Parameters describe(FilterOptions& o) {
  return {choice("filter", o.window,
                 "window on the ramp filter; hilbert: the views are differential (per column, parallel beams); none: "
                 "they are filtered and weighted already",
                 {windows.begin(), windows.end()}),
          {"cutoff", &o.cutoff, "share of the Nyquist frequency above which nothing passes", "", 0.01, 1},
          choice("redundancy", o.redundancy, "weights of rays that were measured twice",
                 {"auto", "parker", "offset", "none"}),
          {"pad", &o.pad, "continue rows that are cut off smoothly beyond either end, by this share of their width", "",
           0, 1},
          choice("filter_variant", o.variant, "where and how: host, or on OpenGL fft or convolution",
                 {variants.begin(), variants.end()}),
          {"force", &o.force, "use FDK even where the trajectory makes it a poor approximation"}};
}

double window_value(FilterWindow window, double x) {
  if (x > 1) return 0;
  switch (window) {
    case FilterWindow::ram_lak:
    case FilterWindow::hilbert:
    case FilterWindow::none:
      return 1;
    case FilterWindow::shepp_logan:
      return x > 0 ? std::sin(pi * x / 2) / (pi * x / 2) : 1;
    case FilterWindow::cosine:
      return std::cos(pi * x / 2);
    case FilterWindow::hann:
      return 0.5 + 0.5 * std::cos(pi * x);
    case FilterWindow::hamming:
      return 0.54 + 0.46 * std::cos(pi * x);
  }
  return 1;
}

}  // namespace backlit

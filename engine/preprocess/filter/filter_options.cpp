#include <backlit/preprocess/filter_options.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit {
namespace {

const std::vector<std::string> names{"ram-lak", "shepp-logan", "cosine", "hann", "hamming"};

}  // namespace

Parameters describe(FilterOptions& o) {
  Parameters list{
      {"filter", &o.window,
       "window on the ramp filter; hilbert: the views are differential (per column, parallel beams); none: they are "
       "filtered and weighted already"},
      {"cutoff", &o.cutoff, "share of the Nyquist frequency above which nothing passes", "", 0.01, 1},
      {"redundancy", &o.redundancy, "weights of rays that were measured twice"},
      {"pad", &o.pad, "continue rows that are cut off smoothly beyond either end, by this share of their width", "", 0,
       1},
      {"filter_variant", &o.variant, "where and how: host, or on OpenGL fft or convolution"},
      {"force", &o.force, "use FDK even where the trajectory makes it a poor approximation"}};
  list[0].choices = names;
  list[0].choices.insert(list[0].choices.end(), {"hilbert", "none"});
  list[4].choices = {"auto", "host", "fft", "convolution"};
  list[2].choices = {"auto", "parker", "offset", "none"};
  return list;
}

FilterWindow window_from(const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<FilterWindow>(i);
  throw InputError("filter", fmt::format("unknown window '{}'", name),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

double window_value(FilterWindow window, double x) {
  if (x > 1) return 0;
  switch (window) {
    case FilterWindow::ram_lak:
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

// What the filtering step of FDK is asked for.
#pragma once

#include <string>

#include <backlit/core/parameter.hpp>

namespace backlit {

enum class FilterWindow { ram_lak, shepp_logan, cosine, hann, hamming };

struct FilterOptions {
  std::string window = "ram-lak";   ///< of the ramp: ram-lak, shepp-logan, cosine, hann, hamming. hilbert: views are
                                    ///< differential, per column; none: views are filtered already
  double cutoff = 1.0;              ///< share of the Nyquist frequency above which nothing passes
  std::string redundancy = "auto";  ///< auto: from the view list; parker, offset or none force one
  double pad = 0;                   ///< share of its width by which a row is continued smoothly beyond either end
  bool force = false;               ///< accept trajectories for which FDK is a poor approximation

  std::string variant = "auto";  ///< where and how: auto, host, or a backend's own fft or convolution

  bool filters() const { return window != "none"; }
  bool hilbert() const { return window == "hilbert"; }
};

/// Declares the options above for flags, files and widgets.
Parameters describe(FilterOptions&);

FilterWindow window_from(const std::string& name);  ///< throws InputError listing the names

/// The window at `x` = frequency / (cutoff * Nyquist), x >= 0; 0 beyond 1.
double window_value(FilterWindow, double x);

}  // namespace backlit

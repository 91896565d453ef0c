// Options of FDK's filter.
#pragma once

#include <string>

#include <backlit/core/parameter.hpp>

namespace backlit {

/// Windows on the ramp filter, and two filters in its place.
enum class FilterWindow {
  ram_lak,
  shepp_logan,
  cosine,
  hann,
  hamming,
  hilbert,  ///< the views are differential, per column
  none      ///< the views are filtered and weighted already
};

/// Weights of rays that were measured twice.
enum class Redundancy {
  automatic,  ///< from the views
  parker,     ///< short scans
  offset,     ///< displaced detectors
  none        ///< 1/2 each, as in a full scan
};

enum class FilterVariant {
  automatic,
  host,        ///< on the CPU
  fft,         ///< on the device, where it offers that
  convolution  ///< the same
};

struct FilterOptions {
  FilterWindow window = FilterWindow::ram_lak;
  double cutoff = 1.0;  ///< share of the Nyquist frequency above which nothing passes
  Redundancy redundancy = Redundancy::automatic;
  double pad = 0;      ///< share of its width by which a row is continued smoothly beyond either end
  bool force = false;  ///< accept trajectories for which FDK is a poor approximation
  FilterVariant variant = FilterVariant::automatic;

  bool filters() const { return window != FilterWindow::none; }
  bool hilbert() const { return window == FilterWindow::hilbert; }
  bool operator==(const FilterOptions&) const = default;
};

/// Declares parameters `filter`, `cutoff`, `redundancy`, `pad`, `filter_variant` and `force`.
Parameters describe(FilterOptions&);

const char* name(FilterWindow);
const char* name(FilterVariant);

/// The window at `x` = frequency / (cutoff * Nyquist), x >= 0; 0 beyond 1. 1 for hilbert and none.
double window_value(FilterWindow, double x);

}  // namespace backlit

// Options of FDK's filter.
#pragma once

#include <memory>
#include <string>

#include <backlit/core/parameter.hpp>

namespace backlit {

struct Scan;

/// Windows of the ramp filter, and two filters in its place.
enum class FilterWindow {
  ram_lak,
  shepp_logan,
  cosine,
  hann,
  hamming,
  hilbert,  ///< the views hold differences between neighbouring columns
  none      ///< the views are filtered and weighted already
};

/// Weights of rays that were measured twice.
enum class Redundancy {
  automatic,  ///< chosen by the views
  parker,     ///< short scans
  offset,     ///< displaced detectors
  none        ///< 1/2 each, as in a full scan
};

enum class FilterVariant {
  automatic,
  host,        ///< on the CPU
  fft,         ///< on the device, where the backend has it
  convolution  ///< the same
};

struct FilterOptions {
  FilterWindow window = FilterWindow::ram_lak;
  double cutoff = 1.0;  ///< share of the Nyquist frequency; higher frequencies are removed
  Redundancy redundancy = Redundancy::automatic;
  double pad = 0;      ///< a row is continued smoothly beyond both ends by this share of its width
  bool force = false;  ///< accept trajectories for which FDK is a poor approximation
  FilterVariant variant = FilterVariant::automatic;
  /// The scan that the views are a part of, in the same columns: weights depend on the angles of all its views. Null
  /// where the views are all.
  std::shared_ptr<const Scan> whole{};

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

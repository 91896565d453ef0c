// Time of flight: a slice's share in an event decreases with its distance from the position that the event's time
// difference gives.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>

namespace backlit {

/// A cut Gaussian, scaled such that its integral is 1. The bins of a line then add up to the line's value without time
/// of flight.
struct TofKernel {
  double sigma_mm = 0;  ///< 0: no time of flight
  double cut_sigmas = 3;
  double bin_mm = 0;       ///< width of a bin of time differences; 0: none, and weights are densities in 1/mm
  bool integrated = true;  ///< integrated over the bin; else sampled in its middle, times its width

  bool used() const { return sigma_mm > 0; }
  /// mm; slices farther away have no share.
  double reach() const { return sigma_mm * cut_sigmas + (integrated ? bin_mm / 2 : 0); }
};

/// The integral of the cut Gaussian up to `mm` from its middle.
BACKLIT_HD inline double tof_cumulated(const TofKernel& k, double mm) {
  const double whole = erf(k.cut_sigmas / sqrt(2.0));
  const double part = erf(mm / (k.sigma_mm * sqrt(2.0))) / whole;
  return 0.5 + 0.5 * (part > 1 ? 1 : part < -1 ? -1 : part);
}

/// The share of a point `mm` from the middle of the event's bin: a probability, or a density in 1/mm without bins.
BACKLIT_HD inline double tof_weight(const TofKernel& k, double mm) {
  if (k.integrated && k.bin_mm > 0) return tof_cumulated(k, mm + k.bin_mm / 2) - tof_cumulated(k, mm - k.bin_mm / 2);
  if (fabs(mm) > k.cut_sigmas * k.sigma_mm) return 0;
  const double x = mm / k.sigma_mm;
  const double density = exp(-0.5 * x * x) / (k.sigma_mm * 2.5066282746310002 * erf(k.cut_sigmas / sqrt(2.0)));
  return k.bin_mm > 0 ? density * k.bin_mm : density;
}

}  // namespace backlit

// Simulates PET list mode: decays in a phantom, photons that attenuation stops or that reach crystals, and backgrounds
// of known rate.
#pragma once

#include <cstdint>
#include <functional>

#include <backlit/core/parameter.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/data/list_mode.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit {

struct ListModeSimulation {
  double counts = 1e6;          ///< prompts; their expectation when `poisson`
  bool poisson = false;         ///< draw the number of prompts from a Poisson distribution
  double scatter_fraction = 0;  ///< of prompts
  double random_fraction = 0;   ///< of prompts
  double scatter_sigma_mm = 0;  ///< width of the scatter-like background about the axis; 0: 0.22 of the ring's radius
  double duration_s = 60;
  double tof_fwhm_ps = -1;       ///< 0: none; below 0: the scanner's
  double tof_bin_ps = 0;         ///< times are rounded to multiples of this width; 0: not rounded
  double positron_sigma_mm = 0;  ///< standard deviation of the positron's path, each axis
  double acollinearity_deg = 0;  ///< FWHM of the angle between photons beyond 180 degrees
  bool depth = false;            ///< sample the depth of interaction (always with several layers)
  bool labels = false;           ///< store the kind of each event (true, scatter, random)
  std::uint64_t seed = 1;
};

/// All but the seed.
Parameters describe(ListModeSimulation&);

struct SimulatedCounts {
  std::int64_t trues = 0, scatters = 0, randoms = 0;
  double decays = 0;  ///< decays in the phantom that give this number of trues
  /// Decays per s and mm^3 where the phantom's value is 1. A reconstruction with all corrections should show this
  /// value.
  double activity = 0;

  std::int64_t prompts() const { return trues + scatters + randoms; }
};

/// The header of the list.
ListModeInfo simulated_info(const Scanner&, const ListModeSimulation&);

/// Simulates events and passes them to `sink` in the order of time, a million at a time.
///
/// Trues: isotropic decays of `activity` whose photons pass `attenuation` (1/mm; may be null) and hit two crystals in
/// coincidence. Without `depth` photons stop at the scanner's mean depth. Scatter-like background: pairs with the
/// weight exp(-d^2 / 2 sigma^2), d the distance of the line from the axis. With TOF its positions are normally
/// distributed about the middle of the line. Randoms: all pairs and times are equally likely. Each event holds the true
/// values of its pair: the norm (1 / pair_efficiency), the attenuation correction and the rates. The attenuation
/// correction is for the line between the crystals' centres (only with `attenuation`). The rates are those of scatter
/// and randoms (only where there are some).
///
/// Random numbers depend on counters (seed, decay) alone: the list is the same on any number of threads. Throws
/// InputError when options, scanner and phantom do not fit each other, and Cancelled between batches.
SimulatedCounts simulate_list_mode(const Scanner&, const Phantom& activity, const Phantom* attenuation,
                                   const ListModeSimulation&, const std::function<void(const EventList&)>& sink,
                                   const Watch& = {});

}  // namespace backlit

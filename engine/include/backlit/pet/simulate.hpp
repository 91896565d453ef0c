// Simulated PET list mode: decays of a phantom, photons through attenuating material to crystals, and backgrounds of
// known rate.
#pragma once

#include <cstdint>
#include <functional>

#include <backlit/core/progress.hpp>
#include <backlit/data/list_mode.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit {

struct ListModeSimulation {
  double counts = 1e6;          ///< prompts; their expectation when `poisson`
  bool poisson = false;         ///< draw their number, too
  double scatter_fraction = 0;  ///< of prompts
  double random_fraction = 0;   ///< of prompts
  double scatter_sigma_mm = 0;  ///< of the scatter-like background about the axis; 0: 0.22 of the ring's radius
  double duration_s = 60;
  double tof_fwhm_ps = -1;       ///< 0: none; below 0: the scanner's
  double tof_bin_ps = 0;         ///< times are rounded to bins of this width, one centred on 0; 0: not at all
  double positron_sigma_mm = 0;  ///< decays annihilate this far from their place (each axis)
  double acollinearity_deg = 0;  ///< FWHM of the angle between photons beyond 180 degrees
  bool depth = false;            ///< sample the depth of interaction (always with several layers)
  bool labels = false;           ///< store the kind of each event (true, scatter, random)
  std::uint64_t seed = 1;
};

struct SimulatedCounts {
  std::int64_t trues = 0, scatters = 0, randoms = 0;
  double decays = 0;  ///< in the phantom, for this number of trues
  /// Decays per s and mm^3 where the phantom's value is 1: what a reconstruction with all corrections should show.
  double activity = 0;

  std::int64_t prompts() const { return trues + scatters + randoms; }
};

/// The header of the list.
ListModeInfo simulated_info(const Scanner&, const ListModeSimulation&);

/// Simulates and gives the events to `sink` in the order of time, a million at a time.
///
/// Trues: isotropic decays of `activity` that survive `attenuation` (1/mm; may be null) along their own path and hit
/// two crystals in coincidence. Without `depth` photons stop at the scanner's mean depth. Scatter-like background:
/// pairs with the weight exp(-d^2 / 2 sigma^2), d the distance of the line from the axis, with TOF normally distributed
/// about the middle of the line. Randoms: all pairs and times equally likely. Each event holds the norm (1 /
/// pair_efficiency), the attenuation correction (through the phantom between the crystals' centres; only with
/// `attenuation`) and the rates of scatter and randoms (only where there are some) that its pair truly has.
///
/// Numbers come from counters (seed, decay): the list is the same on any number of threads. Throws InputError when
/// options, scanner and phantom do not go together, and Cancelled between batches.
SimulatedCounts simulate_list_mode(const Scanner&, const Phantom& activity, const Phantom* attenuation,
                                   const ListModeSimulation&, const std::function<void(const EventList&)>& sink,
                                   const Watch& = {});

}  // namespace backlit

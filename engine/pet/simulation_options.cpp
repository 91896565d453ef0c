// The options of list-mode simulation.
#include <backlit/pet/simulate.hpp>

namespace backlit {

Parameters describe(ListModeSimulation& s) {
  return {
      {"counts", &s.counts, "prompts", "events", 1, 1e12},
      {"poisson", &s.poisson, "draw the number of prompts too, with `counts` as its expectation"},
      {"scatter", &s.scatter_fraction, "share of prompts that are a scatter-like background", "", 0, 0.99},
      {"randoms", &s.random_fraction, "share of prompts that are uniform randoms", "", 0, 0.99},
      {"scatter_sigma", &s.scatter_sigma_mm, "width of the scatter-like background; 0: 0.22 ring radii", "mm", 0, 1e4},
      {"duration", &s.duration_s, "of the scan", "s", 1e-3, 4e6},
      {"tof", &s.tof_fwhm_ps, "time resolution (FWHM); 0: no time of flight; below 0: the scanner's", "ps", -1, 1e5},
      {"tof_bin", &s.tof_bin_ps, "round times to bins of this width; 0: no rounding", "ps", 0, 1e5},
      {"positron", &s.positron_sigma_mm, "range of positrons, standard deviation along each axis", "mm", 0, 100},
      {"acollinearity", &s.acollinearity_deg, "angle between photons beyond 180 degrees (FWHM)", "deg", 0, 10},
      {"depth", &s.depth, "sample the depth of interaction (scanners of several layers always do)"},
      {"labels", &s.labels, "store whether an event is a true, scatter or random"}};
}

}  // namespace backlit

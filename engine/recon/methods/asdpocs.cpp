#include <backlit/recon/methods/asdpocs.hpp>

#include "recon/iterative/asd_pocs.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters AsdPocsOptions::parameters() {
  Parameters list = IterationOptions::parameters();
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  append(list, steering({{"relaxation", &relaxation, "share of each update that is applied, at first", "", 1e-6, 2},
                         {"relaxation_fall", &relaxation_fall,
                          "factor of the relaxation from one iteration to the next", "", 1e-3, 1},
                         {"tv_steps", &tv_steps, "steps down total variation, an iteration", "", 0, 1e5},
                         {"tv_length", &tv_length,
                          "length of the first such step, as a share of the change by the data", "", 0, 100},
                         {"tv_fall", &tv_fall, "factor of the length where variation undoes too much", "", 1e-3, 1},
                         {"tv_most", &tv_most, "limit on the change by variation, as a share of the change by the data",
                          "", 0, 100}}));
  append(list, describe(static_cast<BoxOptions&>(*this)));
  return list;
}

void AsdPocsOptions::check() const {
  IterationOptions::check();
  backlit::check(static_cast<const BoxOptions&>(*this));
}

MethodInfo asdpocs_method() {
  return announce<AsdPocsOptions>(
      {.name = "asdpocs",
       .title = "Adaptive steepest descent and projection onto convex sets",
       .paper = "Sidky, Pan, Phys. Med. Biol. 53 (2008) 4777",
       .about = "Little total variation at the data's noise, by OS-SART and smoothing in turn.",
       .usual = {"iterations", "subsets", "tv_steps", "tv_length"}},
      [](const ReconInput& input, const AsdPocsOptions& options) { return std::make_unique<AsdPocs>(input, options); });
}

}  // namespace backlit

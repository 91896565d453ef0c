#include <backlit/recon/methods/asdpocs.hpp>

#include "recon/iterative/asd_pocs.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters AsdPocsOptions::parameters() {
  Parameters list = IterationOptions::parameters();
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  append(list, {{"relaxation", &relaxation, "share of each update that is applied, at first", "", 1e-6, 2},
                {"relaxation_fall", &relaxation_fall, "what an iteration multiplies the relaxation by", "", 1e-3, 1},
                {"tv_steps", &tv_steps, "steps down total variation, an iteration", "", 0, 1e5},
                {"tv_length", &tv_length, "of a first such step, as a share of what the data changed", "", 0, 100},
                {"tv_fall", &tv_fall, "what the length is multiplied by where variation undoes too much", "", 1e-3, 1},
                {"tv_most", &tv_most, "what variation may undo, as a share of what the data changed", "", 0, 100}});
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

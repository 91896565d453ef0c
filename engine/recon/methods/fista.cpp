#include <backlit/recon/methods/fista.hpp>

#include "recon/iterative/fista.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters FistaOptions::parameters() {
  Parameters list = IterationOptions::parameters();
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  append(list, describe(static_cast<RelaxationOptions&>(*this)));
  return list;
}

MethodInfo fista_method() {
  return announce<FistaOptions>(
      {.name = "fista",
       .title = "Fast iterative shrinkage-thresholding",
       .paper = "Beck, Teboulle, SIAM J. Imaging Sci. 2 (2009) 183",
       .about = "SIRT with momentum: the same result in a tenth of the iterations.",
       .usual = {"iterations", "subsets", "relaxation", "nonnegative"}},
      [](const ReconInput& input, const FistaOptions& options) { return std::make_unique<Fista>(input, options); });
}

}  // namespace backlit

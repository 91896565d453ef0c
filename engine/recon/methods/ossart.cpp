#include <backlit/recon/methods/ossart.hpp>

#include "recon/methods/methods.hpp"
#include "recon/subset_relaxation.hpp"

namespace backlit {

Parameters OsSartOptions::parameters() {
  Parameters list = BackModelOptions::parameters();
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  append(list, describe(static_cast<RelaxationOptions&>(*this)));
  return list;
}

MethodInfo ossart_method() {
  return announce<OsSartOptions>({.name = "ossart",
                                  .title = "Simultaneous algebraic reconstruction with ordered subsets",
                                  .paper = "Wang, Jiang, J. X-Ray Sci. Technol. 12 (2004) 169",
                                  .about = "Few or noisy views; some ten iterations of ten or more subsets.",
                                  .usual = {"iterations", "subsets", "relaxation", "nonnegative"}},
                                 [](const ReconInput& input, const OsSartOptions& options) {
                                   return std::make_unique<SubsetRelaxation>(input, options, options, options);
                                 });
}

}  // namespace backlit

#include <backlit/recon/methods/cgls.hpp>

#include "recon/iterative/conjugate_gradients.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

MethodInfo cgls_method() {
  return announce<CglsOptions>({.name = "cgls",
                                .title = "Conjugate gradients on the normal equations",
                                .paper = "Hestenes, Stiefel, J. Res. Natl. Bur. Stand. 49 (1952) 409",
                                .about = "Least squares in few iterations; noise returns when there are too many.",
                                .usual = {"iterations"}},
                               [](const ReconInput& input, const CglsOptions& options) {
                                 return std::make_unique<ConjugateGradients>(input, options, false);
                               });
}

}  // namespace backlit

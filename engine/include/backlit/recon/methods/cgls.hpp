// CGLS, conjugate gradients on the normal equations: Hestenes and Stiefel, J. Res. Natl. Bur. Stand. 49 (1952) 409.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct CglsOptions : IterationOptions {};

}  // namespace backlit

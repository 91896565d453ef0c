// FISTA in SIRT's norms, with ordered subsets: Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009) 183; Xu, Yang, Tan,
// Sawatzky and Anastasio, Med. Phys. 43 (2016) 1849.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct FistaOptions : IterationOptions, SubsetOptions, RelaxationOptions {
  Parameters parameters() override;
};

}  // namespace backlit

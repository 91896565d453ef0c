// OS-SART, ordered subsets of views: Wang and Jiang, J. X-Ray Sci. Technol. 12 (2004) 169.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct OsSartOptions : BackModelOptions, SubsetOptions, RelaxationOptions {
  Parameters parameters() override;
};

}  // namespace backlit

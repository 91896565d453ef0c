// OS-SART, ordered subsets of views: Wang and Jiang, J. X-Ray Sci. Technol. 12 (2004) 169.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct OsSartOptions : BackModelOptions, SubsetOptions, RelaxationOptions {
  OsSartOptions() {
    iterations = 15;
    subsets = 0;
  }
  Parameters parameters() override;
};

}  // namespace backlit

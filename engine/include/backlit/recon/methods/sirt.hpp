// SIRT: Gregor and Benson, IEEE Trans. Med. Imaging 27 (2008) 918.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct SirtOptions : BackModelOptions, RelaxationOptions {
  Parameters parameters() override;
};

}  // namespace backlit

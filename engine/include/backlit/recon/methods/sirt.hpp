// SIRT: Gregor and Benson, IEEE Trans. Med. Imaging 27 (2008) 918.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct SirtOptions : BackModelOptions, RelaxationOptions {
  SirtOptions() { iterations = 150; }
  Parameters parameters() override;
};

}  // namespace backlit

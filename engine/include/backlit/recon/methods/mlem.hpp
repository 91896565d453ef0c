// MLEM: Shepp and Vardi, IEEE Trans. Med. Imaging 1 (1982) 113.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct MlemOptions : BackModelOptions {
  bool nonnegative = true;  ///< always true: updates are factors

  Parameters parameters() override;
};

}  // namespace backlit

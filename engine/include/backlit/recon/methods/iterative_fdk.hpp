// Iterative FDK: Nalcioglu and Cho, IEEE Trans. Nucl. Sci. 25 (1978) 1086; Zeng and Gullberg, IEEE Trans. Med. Imaging
// 19 (2000) 548.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct IterativeFdkOptions : FilteredOptions, RelaxationOptions {
  std::int64_t iterations = 20;

  Parameters parameters() override;

 protected:
  std::vector<Model> models() const override;
};

}  // namespace backlit

// OSEM: Hudson and Larkin, IEEE Trans. Med. Imaging 13 (1994) 601.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct OsemOptions : BackModelOptions, SubsetOptions {
  bool nonnegative = true;  ///< always true: updates are factors

  Parameters parameters() override;
};

}  // namespace backlit

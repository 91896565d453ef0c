// Conjugate gradients with a preconditioner: Fessler and Booth, IEEE Trans. Image Process. 8 (1999) 688.
#pragma once

#include <backlit/recon/method_options.hpp>

namespace backlit {

struct PcgOptions : IterationOptions {
  /// diagonal: 1 / (A' A 1), which corrects for voxels that different numbers of rays cross.
  enum class Preconditioner { diagonal, none };
  Preconditioner preconditioner = Preconditioner::diagonal;

  Parameters parameters() override;
};

}  // namespace backlit

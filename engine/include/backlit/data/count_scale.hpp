// Turns counts into line integrals where every pixel has its own dark and flat.
#pragma once

#include <vector>

namespace backlit {

/// A pixel's line integral is -log((count - dark) / open).
struct CountScale {
  std::vector<float> dark;
  std::vector<float> open;  ///< flat - dark; 0 for dead pixels
};

}  // namespace backlit

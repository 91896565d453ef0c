// Converts counts to line integrals with a dark and a flat value for each pixel.
#pragma once

#include <vector>

namespace backlit {

/// A pixel's line integral is -log((count - dark) / open).
struct CountScale {
  std::vector<float> dark;
  std::vector<float> open;  ///< flat - dark; 0 for dead pixels
};

}  // namespace backlit

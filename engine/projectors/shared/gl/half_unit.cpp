#include "projectors/shared/gl/half_unit.hpp"

#include <algorithm>
#include <cmath>

namespace backlit::gl {

float half_unit(VectorOps& ops, const GlArray& values) { return half_unit(ops.largest_magnitude(values)); }

float half_unit(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return static_cast<float>(std::exp2(std::clamp(std::ceil(std::log2(largest)) - 14, -120.0, 120.0)));
}

}  // namespace backlit::gl

// What a stored 1 means where values are kept as half floats.
#pragma once

#include "device/gl/vector_ops.hpp"

namespace backlit::gl {

/// A power of two such that the largest magnitude is stored as 2^13 to 2^14, where halves have all their digits.
float half_unit(VectorOps&, const GlArray&);

}  // namespace backlit::gl

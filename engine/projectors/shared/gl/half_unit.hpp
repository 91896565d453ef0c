// What a stored 1 means where values are kept as half floats.
#pragma once

#include "device/gl/vector_ops.hpp"

namespace backlit::gl {

/// The power of two that, as the unit, makes halves hold values up to `largest` with all their digits: half floats hold
/// 2^-14 to 2^16 in full, so the largest magnitude goes to 2^13 to 2^14.
float half_unit(double largest);
float half_unit(VectorOps&, const GlArray&);

}  // namespace backlit::gl

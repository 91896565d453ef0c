// The value of a stored 1 where values are kept as half floats.
#pragma once

#include "device/gl/vector_ops.hpp"

namespace backlit::gl {

/// The power of two that, as the unit, lets halves hold values up to `largest` with all their digits. Half floats hold
/// 2^-14 to 2^16 in full, so the largest magnitude is scaled to 2^13 to 2^14.
float half_unit(double largest);
float half_unit(VectorOps&, const GlArray&);

}  // namespace backlit::gl

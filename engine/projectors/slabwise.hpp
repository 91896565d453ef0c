// Backprojection slab by slab, for callers that use a slab while the next one is computed.
#pragma once

#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Implemented by operators that cut volumes.
class Slabwise {
 public:
  virtual ~Slabwise() = default;
  /// LinearOperator::back() into the slab of `x` that begins with slice `first`. Returns the first slice of the next
  /// slab; 0 after the last one. Calls for all slabs make up one call of back(). Ranks count their own slices.
  virtual std::int64_t back_slab(const DeviceArray& y, DeviceArray& x, const Subset&, Write, std::int64_t first) = 0;
  virtual bool in_slabs(const DeviceArray& x) const = 0;  ///< whether there are several
  /// Of the largest slab.
  virtual std::int64_t slab_slices(const DeviceArray& x) const = 0;
};

}  // namespace backlit

// Operators whose views may change, such as those of an alignment.
#pragma once

#include <backlit/geometry/view.hpp>

namespace backlit {

/// A LinearOperator that may implement this too.
class MovesViews {
 public:
  virtual ~MovesViews() = default;

  /// Replaces the views by those of a scan with as many views and pixels, and keeps all memory. The host waits for no
  /// work of the device. Returns false, and changes nothing, where the operator must be made again.
  virtual bool place(const Scan&) = 0;
};

}  // namespace backlit

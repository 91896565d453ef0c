// The scan with the state's geometry corrections, for drawing in every frame.
#pragma once

#include <memory>

#include "model/engine/events.hpp"
#include "model/state.hpp"

namespace backlit::viewer {

class AdjustedScan {
 public:
  /// adjusted() of the source's scan, computed only after a change. Returns the file's scan if adjusted() throws (a run
  /// reports the error). `source` must not be null. The reference is valid until the next call.
  const Scan& of(const std::shared_ptr<const SourceInfo>& source, const GeometryState&);

 private:
  std::shared_ptr<const SourceInfo> source_;
  GeometryState geometry_;
  Scan scan_;
};

}  // namespace backlit::viewer

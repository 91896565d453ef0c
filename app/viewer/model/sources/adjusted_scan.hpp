// The scan as the sliders of the geometry have it, for what is drawn every frame.
#pragma once

#include <memory>

#include "model/engine/events.hpp"
#include "model/state.hpp"

namespace backlit::viewer {

class AdjustedScan {
 public:
  /// adjusted() of the source's scan, made anew only when something has changed; the file's where that is refused (a
  /// run tells why). `source` must not be null. Stays until the next call.
  const Scan& of(const std::shared_ptr<const SourceInfo>& source, const GeometryState&);

 private:
  std::shared_ptr<const SourceInfo> source_;
  GeometryState geometry_;
  Scan scan_;
};

}  // namespace backlit::viewer

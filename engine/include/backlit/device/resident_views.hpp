// Views that lie in a device's memory already.
#pragma once

#include <backlit/data/projections.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

/// Implemented by sources whose views a device holds.
class ResidentViews {
 public:
  virtual ~ResidentViews() = default;
  /// All views in the source's order, [column][row][view], if they lie on this backend's device; else null.
  virtual DeviceArray* views_on(Backend&) = 0;
};

/// The views of a source, or of one that a PlacedViews places, on a backend's device; null where they are not there.
DeviceArray* resident_views(ProjectionSource&, Backend&);

}  // namespace backlit

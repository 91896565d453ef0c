// The views of a distance-driven operator on the device, and calls for some of them.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "cuda/device/memory.hpp"
#include "cuda/distance_driven/kernels.hpp"

namespace backlit::cuda {

class DistanceDrivenViews {
 public:
  /// Throws Unsupported where make_distance_driven() does.
  DistanceDrivenViews(const VolumeGrid&, const Scan&);

  const DistanceDrivenPlan& plan() const { return plan_; }
  std::int64_t count() const { return static_cast<std::int64_t>(views_.size()); }
  static std::int64_t bytes(const Scan&);

  /// The rows' views on the device, until the next call replaces them. Views with main axis x come first; `along_x`
  /// gets their number.
  const SeenView* put(Stream&, const SubsetRows&, int& along_x);

 private:
  DistanceDrivenPlan plan_{};
  std::vector<SeenView> views_;
  DeviceBuffer<ColumnEdge<double>> edges_;
  DeviceBuffer<RowEdges<double>> cells_;
  DeviceBuffer<ViewMap<float>> maps_;
  DeviceBuffer<SeenView> seen_;
};

}  // namespace backlit::cuda

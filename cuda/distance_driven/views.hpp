// The views of a distance-driven operator on the device, and the calls made of some of them.
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
  /// Throws Unsupported for what make_distance_driven() refuses.
  DistanceDrivenViews(const VolumeGrid&, const Scan&);

  const DistanceDrivenPlan& plan() const { return plan_; }
  std::int64_t count() const { return static_cast<std::int64_t>(views_.size()); }
  static std::int64_t bytes(const Scan&);

  /// The rows' views, those with main axis x first; how many these are goes to `along_x`. On the device, where the next
  /// call replaces them.
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

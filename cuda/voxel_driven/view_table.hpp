// The maps of a scan's views, for kernels that project any voxel onto any detector.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "cuda/device/memory.hpp"
#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {

class ViewTable {
 public:
  ViewTable(const Scan&, const VolumeGrid&);
  /// Puts the views of the rows on the device, in their order; their slots are the places of the rows' images in y. The
  /// result of the last call is no longer valid.
  ExactViews upload(cudaStream_t, const SubsetRows&);

 private:
  Detector detector_;
  Size3 middle_;  ///< voxel
  std::vector<ExactView> views_;
  DeviceBuffer<ExactView> table_;
};

}  // namespace backlit::cuda

// The classic distance-driven pair on the device: one thread a cell or a voxel, walking over what overlaps.
#pragma once

#include "cuda/distance_driven/kernels.hpp"

namespace backlit::cuda {

/// From a volume with x fastest.
void project_branching(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, const float* volume,
                       float* projections, bool accumulate);

/// All views have the main axis `axis`.
void backproject_branching(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis,
                           const float* projections, float* volume, bool accumulate);

}  // namespace backlit::cuda

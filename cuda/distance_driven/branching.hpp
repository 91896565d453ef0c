// The classic distance-driven pair on the device: one thread per cell or voxel, which loops over all overlaps.
#pragma once

#include "cuda/distance_driven/kernels.hpp"

namespace backlit::cuda {

/// From a volume with x fastest, overwriting or accumulating.
void project_branching(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, const float* volume,
                       float* projections, bool accumulate);

/// All views have the main axis `axis`.
void backproject_branching(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis,
                           const float* projections, float* volume, bool accumulate);

}  // namespace backlit::cuda

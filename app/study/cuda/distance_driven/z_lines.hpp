// Backprojection along z-lines with a thread for each slice, which passes the sum at its edge to its neighbour.
#pragma once

#include "study/cuda/distance_driven/areas.hpp"

namespace backlit::cuda {

/// Like backproject_areas(), with shared memory or shuffles.
template <class Entry>
void backproject_z_lines(Stream&, const DistanceDrivenPlan&, const SeenView*, int views, int axis, const Areas<Entry>&,
                         Share, float* volume, bool accumulate);

}  // namespace backlit::cuda

// Mean length of rays in a grid: a lower bound for the work of a projection.
#pragma once

#include <backlit/render/camera.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

/// Mean over the rays of a scan, including those that miss the grid.
struct MeanPath {
  double slices = 0;  ///< slices along the axis of which a ray crosses most
  double mm = 0;
};

/// Computed from 20,000 random rays. Flat detectors only.
MeanPath mean_path(const BenchCase&);

/// Mean over all rays of a picture.
double mean_path_mm(const CameraRays&, const VolumeGrid&);

}  // namespace backlit

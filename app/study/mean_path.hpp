// How far rays go through a grid: what a projection of it cannot do without.
#pragma once

#include <backlit/render/camera.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

/// Mean over the rays of a scan, of those too that miss the grid.
struct MeanPath {
  double slices = 0;  ///< along the axis of which a ray crosses most
  double mm = 0;
};

/// Of 20,000 random rays. Flat detectors.
MeanPath mean_path(const BenchCase&);

/// Of all rays of a picture.
double mean_path_mm(const CameraRays&, const VolumeGrid&);

}  // namespace backlit

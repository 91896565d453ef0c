// A body without edges, for which all models of a ray should agree.
#pragma once

#include <backlit/geometry/volume_grid.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit::test {

/// One Gaussian, off centre.
inline Phantom smooth_body() {
  Body body;
  body.shape = Body::Shape::gaussian;
  body.center = Vec3(1.5, -1, 0.5);
  body.half = Vec3(3, 2.6, 2.8);
  body.value = 1;
  Phantom phantom;
  phantom.bodies = {body};
  return phantom;
}

/// A grid around it, with non-cubic voxels.
inline VolumeGrid smooth_body_grid() { return {{37, 35, 33}, Vec3(0.7, 0.75, 0.8), Vec3(0.5, 0.2, -0.3)}; }

}  // namespace backlit::test

// Splatting: voxels are overlapping round kernels with a footprint in closed form (engine/projectors/blob/blob.hpp).
#include "shared/line.glsl"

const float blob_radius = 1.2295702;  // voxels

// `square`: squared distance from the voxel's centre, in voxels^2.
float footprint(float square) {
  float y = 1.0 - square * (1.0 / (blob_radius * blob_radius));
  if (!(y > 0.0)) return 0.0;
  float series =
      0.4152880055 +
      y * (0.3219660138 +
           y * (0.09707249867 +
                y * (0.01596397179 +
                     y * (0.001666081688 + y * (0.0001205573548 + y * (6.414343621e-06 + y * 2.617334704e-07))))));
  return series * y * y * sqrt(y);
}

// Weight of the voxel at p in the ray, mm.
float blob_length(Line l, vec3 p) {
  vec3 d = p - l.point;
  float square = dot(l.step, l.step), along = dot(d, l.step) / square;
  d -= along * l.step;
  return footprint(dot(d, d)) * l.mm * inversesqrt(square);
}

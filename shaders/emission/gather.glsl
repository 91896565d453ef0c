// Distributes a plane's values to the voxels of its slice: the transpose of sampling the slice. For views that look in
// the other direction, the slice is counted from the other end.
#include "joseph/gather.glsl"

struct EmissionView {
  vec4 distance, depth, pixels, normal;
  vec4 stack;  // z: 1 when rays run towards larger slices, else -1
};
layout(std430, binding = 2) readonly buffer EmissionViews { EmissionView emission[]; };
layout(std430, binding = 3) readonly buffer Items { ivec4 items[]; };

// Sum for views that look towards larger slices (direction 0) or smaller ones (1); the i-th view is in layer first + i
// * layers.
float share_of(ivec3 voxel, int direction, int first, int layers) {
  float sum = 0.0;
  for (int i = 0; i < view_count; ++i) {
    int view = items[i].x;
    if ((emission[view].stack.z > 0.0) == (direction == 0))
      sum += gather_view(rays[first_ray + view], views[view], vec3(voxel), first + i * layers);
  }
  return sum;
}

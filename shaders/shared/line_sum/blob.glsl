// Splatting, ray by ray: the voxels whose kernels a ray touches, slice by slice.
#include "blob/blob.glsl"

layout(binding = 0) uniform sampler2DArray volume;

// (slice, other axes in x, y, z order) of main axis m as x, y, z. Drivers have errors with components chosen at run
// time.
ivec3 in_order(int m, int slice, int i, int j) {
  return m == 0 ? ivec3(slice, i, j) : m == 1 ? ivec3(i, slice, j) : ivec3(i, j, slice);
}
vec3 main_first(int m, vec3 p) { return m == 0 ? p.xyz : m == 1 ? p.yxz : p.zxy; }

float line_integral(int view, vec2 pixel) {
  Line l = line_of(view, pixel);
  int m = l.step.x == 1.0 ? 0 : l.step.y == 1.0 ? 1 : 2;
  vec3 middle_voxel = 0.5 * grid_size - 0.5;
  vec3 point = main_first(m, l.point + middle_voxel), step = main_first(m, l.step), size = main_first(m, grid_size);
  float middle_slice = 0.5 * size.x - 0.5;
  point.x = middle_slice;
  // Distance from the ray within which voxels of a slice touch it.
  vec2 reach = blob_radius * sqrt(1.0 + step.yz * step.yz);
  vec2 slices = within_grid(l, 2.0) + middle_slice;
  int last_slice = min(int(size.x) - 1, int(floor(slices.y)));
  float sum = 0.0;
  for (int slice = max(0, int(ceil(slices.x))); slice <= last_slice; ++slice) {
    vec2 at = point.yz + (float(slice) - middle_slice) * step.yz;
    ivec2 first = max(ivec2(ceil(at - reach)), ivec2(0)), last = min(ivec2(floor(at + reach)), ivec2(size.yz) - 1);
    for (int j = first.y; j <= last.y; ++j)
      for (int i = first.x; i <= last.x; ++i) {
        ivec3 voxel = in_order(m, slice, i, j);
        sum += texelFetch(volume, voxel, 0).r * blob_length(l, vec3(voxel) - middle_voxel);
      }
  }
  return unit * sum;
}

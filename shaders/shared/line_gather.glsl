// The transpose of line integrals, voxel by voxel: the few rays that touch the voxel, each with the voxel's share in
// the projection.
#include "shared/line.glsl"
#include "shared/line_share/raycast.glsl"  // or blob
#include "shared/near.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform int view_count;
uniform int projection;         // layer of the first view
uniform int projection_stride;

float gather(vec3 voxel) {
  vec3 p = voxel - (0.5 * grid_size - 0.5);
  ivec2 last = textureSize(projections, 0).xy - 1;
  float sum = 0.0;
  for (int i = 0; i < view_count; ++i) {
    int view = first_view + i * view_stride;
    ivec4 box = pixels_in(views[view], voxel, vec3(reach), last);
    for (int row = box.y; row <= box.w; ++row)
      for (int column = box.x; column <= box.z; ++column)
        sum += share_of(line_of(view, vec2(column, row)), p) *
               texelFetch(projections, ivec3(column, row, projection + i * projection_stride), 0).r;
  }
  return sum;
}

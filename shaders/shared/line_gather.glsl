// The transpose of line integrals, voxel by voxel: the few rays that touch it, each with the share that the projection
// gave it.
#include "shared/line.glsl"
#ifdef RAYCAST
#include "raycast/raycast.glsl"
#else
#include "blob/blob.glsl"
#endif
#include "shared/near.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform int view_count;
uniform int projection;         // layer of the first view
uniform int projection_stride;

#ifdef RAYCAST
const float reach = 1.0;

float share_of(Line l, vec3 p) {
  Samples s = samples_of(l);
  float from = 0.0, to = s.count;
  if (s.count == 0.0) return 0.0;
  for (int i = 0; i < 3; ++i) narrow(s.point[i] - p[i], s.step[i], 1.0, from, to);
  float sum = 0.0;
  for (float k = ceil(from); k <= to; k += 1.0) {
    vec3 near = max(1.0 - abs(s.point + k * s.step - p), 0.0);
    sum += sample_weight(s, k) * near.x * near.y * near.z;
  }
  return sum;
}
#else
const float reach = blob_radius;

float share_of(Line l, vec3 p) { return blob_length(l, p); }
#endif

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

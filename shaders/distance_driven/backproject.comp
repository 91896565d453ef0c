#version 450 core
// Voxels from summed areas of views: an invocation makes LINES slices of a voxel column. A voxel's rectangle is bounded
// by its edges across the view, at the height of its middle.
layout(local_size_x = 8, local_size_y = 8) in;
#include "distance_driven/table.glsl"
#include "distance_driven/views.glsl"
#include "shared/views.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int view_count;
uniform int plane;        // 2-D: the row is the slice

#include "distance_driven/beam/cone.glsl"  // or curved, parallel

// For the middles of the columns between two edges, each weighted by its part in between: x is their mean, from `low`;
// y is half the width of a uniform distribution with the same standard deviation.
vec2 column_middles(float low, float high) {
  float first = floor(low), a = low - first, b = high - first, n = floor(b), last = n + 0.5;
  float middle = (0.5 * n * n + (b - n) * last - 0.5 * a) / (b - a);
  float square = (n * (4.0 * n * n - 1.0) / 12.0 + (b - n) * last * last - 0.25 * a) / (b - a);
  return vec2(middle - a, sqrt(max(3.0 * (square - middle * middle), 0.0)));
}

void main() {
  ivec2 voxel = ivec2(gl_GlobalInvocationID.xy);
  ivec3 size = imageSize(volume);
  ivec2 slices = neighbours(int(gl_GlobalInvocationID.z), int(gl_NumWorkGroups.z));
  if (any(greaterThanEqual(voxel, size.xy)) || slices.x >= size.z) return;
  float most = table_size.x - 1.0;
  for (int k = 0; k < LINES; ++k) sums[k] = 0.0;
  for (int v = 0; v < view_count; ++v) {
    int view = first_view + v * view_stride;
    vec4 place = vec4(vec2(voxel), -0.5, 1.0);
    vec4 along = kinds[view].x == 0 ? vec4(0.0, 0.5, 0.0, 0.0) : vec4(0.5, 0.0, 0.0, 0.0);
    POSITION a = carry(views[view], place - along), b = carry(views[view], place + along);
    float c0 = column_of(a, view), c1 = column_of(b, view);
    if (kinds[view].y != 0) {
      c0 = float(detector.x) - c0;
      c1 = float(detector.x) - c1;
    }
    float width = c1 - c0;
    bool wide = rounds && width > least_width;
    vec2 part = clamp(vec2(c0, c1), 0.0, most), across = vec2(placed(part.x, wide), placed(part.y, wide));
    if (!(across.x < across.y)) continue;
    // The height of rows' edges is their mean over the middles of the columns that the voxel meets. Beyond the first
    // and the last row each column ends at its own height, so there the mean of the part within the image counts.
    float up = views[view].b.z;
    vec2 rows = vec2(0.0, 1.0), blur = vec2(0.0);  // at edge 0, and the increase from edge to edge
    if (plane == 0) {
      vec2 middles = column_middles(across.x, across.y), rows_a = rows_of(a, up, view), rows_b = rows_of(b, up, view);
      // Rows go with 1 / depth, and depth is linear from a to b.
      float met = (across.x - c0 + middles.x) / width, depth_a = row_depth(a), depth_b = row_depth(b);
      vec2 near = vec2((1.0 - met) * depth_a, met * depth_b);
      float over_depth = 1.0 / (near.x + near.y);
      rows = (near.x * rows_a + near.y * rows_b) * over_depth;
      blur = middles.y / width * vec2(rows_b.x - rows_a.x, rows.y * (depth_a - depth_b) * over_depth);
    }
    float share = (part.y - part.x) / (across.y - across.x), sense = rows.y < 0.0 ? -1.0 : 1.0;
    add_lines(across, rows, blur, slices.x, slices.y, sense * share, sense * level_between(part, v), v);
  }
  for (int k = 0; k < LINES; ++k) {
    ivec3 at = ivec3(voxel, slices.x + k * slices.y);
    if (at.z >= size.z) break;
    imageStore(volume, at, vec4(imageLoad(volume, at).r + sums[k]));
  }
}

#version 450 core
// The transpose of projection, column by column. An invocation makes some voxels on top of each other, which share
// everything that does not depend on z. Each pixel is read once for the two voxels that its row lies between.
#include "shared/morton.glsl"
#include "joseph/column_rays.glsl"
#include "joseph/column_rows.glsl"

layout(std430, binding = 3) readonly buffer Weighed { float weighed[]; };  // [view][row][column]
layout(binding = 0, r32f) uniform image2DArray volume;
uniform vec2 middle;      // of the grid's slices, in voxels
uniform int first_slice;  // slice of the grid in layer 0 of the volume
uniform int first_layer;  // first layer that this pass writes
uniform int first_view, view_stride, view_count;
uniform int accumulate;  // 1: accumulates

#include "joseph/voxels/twelve.glsl"  // or one

void gather_view(int n, vec2 p, float lowest) {
  int view = first_view + n * view_stride;
  ColumnRayView v = column_views[view];
  for (int axis = 0; axis < 2; ++axis) {
    if (!has_axis(v, axis)) continue;
    VoxelColumn column = voxel_column(v, axis, p);
    float per = per_along(column.along);
    for (int c = column.first; c <= column.last; ++c) {
      ColumnShare s = column_share(column_ray(view, c), column, axis, per);
      if (s.share == 0.0) continue;
      float row = fma(lowest - 1.0 - height_of(v), s.step, row_of(v));
      if (any_on_detector(row, s.step, VOXELS)) add_rows(row, s, n * rows * columns + c);
    }
  }
}

void main() {
  ivec3 at = ivec3(pixel_of_invocation(), first_layer + int(gl_WorkGroupID.z) * VOXELS), size = imageSize(volume);
  if (any(greaterThanEqual(at, size))) return;
  for (int n = 0; n < view_count; ++n) gather_view(n, vec2(at.xy) - middle, float(first_slice + at.z));
  for (int k = 0; k < VOXELS && at.z + k < size.z; ++k) {
    ivec3 voxel = at + ivec3(0, 0, k);
    float before = accumulate != 0 ? imageLoad(volume, voxel).r : 0.0;
    imageStore(volume, voxel, vec4(before + sum_of(k)));
  }
}

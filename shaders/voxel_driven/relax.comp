#version 450 core
// An invocation a column, laid out as column.comp.
#include "voxel_driven/relax.glsl"

layout(local_size_x = 256) in;  // a tile of 16 x 16 voxels

void main() {
  int lane = int(gl_LocalInvocationID.x), warp = lane >> 5;
  ivec2 tile = ivec2((lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4), (lane >> 1 & 1) | (lane >> 2 & 2));
  ivec2 p = ivec2(gl_WorkGroupID.xy) * 16 + ivec2((warp & 1) * 8, (warp >> 1) * 4) + tile;
  if (all(lessThan(p, imageSize(volume).xy))) relax_column(p, int(gl_WorkGroupID.z) * RELAXED);
}

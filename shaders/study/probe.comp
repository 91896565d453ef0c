#version 450 core
#include "study/probe.glsl"
// In Morton order, as in voxel_driven/column.comp: texture units serve squares of four.
layout(local_size_x = 256) in;
layout(binding = 0, r32f) uniform writeonly image2D result;
void main() {
  int lane = int(gl_LocalInvocationID.x), warp = lane >> 5;
  ivec2 tile = ivec2((lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4), (lane >> 1 & 1) | (lane >> 2 & 2));
  ivec2 p = ivec2(gl_WorkGroupID.xy) * 16 + ivec2((warp & 1) * 8, (warp >> 1) * 4) + tile;
  imageStore(result, p, vec4(probe(vec2(p), 0)));
}

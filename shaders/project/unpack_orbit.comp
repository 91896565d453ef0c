#version 450 core
// Adds what was drawn for groups of four views, a channel a view, to the views themselves.
layout(local_size_x = 32, local_size_y = 8) in;
#include "project/groups.glsl"

layout(binding = 0) uniform sampler2DArray drawn;
layout(binding = 0, r32f) uniform image2DArray projections;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, imageSize(projections).xy))) return;
  vec4 value = texelFetch(drawn, at, 0);
  for (int c = 0; c < 4; ++c) {
    ivec3 to = ivec3(at.xy, groups[at.z].layers[c]);
    imageStore(projections, to, imageLoad(projections, to) + value[c]);
  }
}

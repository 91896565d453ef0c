#version 450 core
// Adds views that were drawn apart to the projections.
//   ORBIT  a channel is one view of a group of four
//   ROWS   a channel is one of four rows
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray drawn;
layout(binding = 0, r32f) uniform image2DArray projections;
#ifdef ORBIT
#include "joseph/groups.glsl"
#else
uniform int first_layer;
uniform int layer_stride;
#endif

void add(ivec3 at, float value) { imageStore(projections, at, imageLoad(projections, at) + value); }

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, textureSize(drawn, 0).xy))) return;
  vec4 value = texelFetch(drawn, at, 0);
#if defined(ORBIT)
  for (int c = 0; c < 4; ++c) add(ivec3(at.xy, groups[at.z].layers[c]), value[c]);
#else
  int layer = first_layer + at.z * layer_stride;
#ifdef ROWS
  for (int c = 0; c < 4 && 4 * at.y + c < imageSize(projections).y; ++c)
    add(ivec3(at.x, 4 * at.y + c, layer), value[c]);
#else
  add(ivec3(at.xy, layer), value.x);
#endif
#endif
}

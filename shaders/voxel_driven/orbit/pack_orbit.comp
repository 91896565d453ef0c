#version 450 core
// Four views a texel: layer g holds the views of group first_group + g, in units of `unit`.
#include "shared/nearest_half.glsl"
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray views;
layout(binding = 0, FORMAT) writeonly uniform image2DArray texels;
layout(std430, binding = 0) readonly buffer Order { ivec4 order[]; };
uniform float per_unit;
uniform int first_group;
uniform int first_layer;  // of view 0, even if it is not there

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(p.xy, textureSize(views, 0).xy))) return;
  ivec4 four = first_layer + order[first_group + p.z];
  vec4 v;
  for (int c = 0; c < 4; ++c) v[c] = texelFetch(views, ivec3(p.xy, four[c]), 0).r;
  v *= per_unit;
#ifdef HALF
  for (int c = 0; c < 4; ++c) v[c] = nearest_half(v[c]);
#endif
  imageStore(texels, p, v);
}

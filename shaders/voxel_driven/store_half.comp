#version 450 core
// Views as halves, in units of 1 / per_unit: layer i of the copy holds layer first + i * stride.
#include "shared/nearest_half.glsl"
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray views;
layout(binding = 0, r16f) writeonly uniform image2DArray halves;
uniform int first;
uniform int stride;
uniform float per_unit;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(p.xy, textureSize(views, 0).xy))) return;
  float v = texelFetch(views, ivec3(p.xy, first + p.z * stride), 0).r;
  imageStore(halves, p, vec4(nearest_half(per_unit * v)));
}

#version 450 core
// Copies layers of a 2-D array to slices of a 3-D texture (FORMAT), in units of `unit`.
layout(local_size_x = 32, local_size_y = 8) in;
#include "shared/nearest_half.glsl"

layout(binding = 0) uniform sampler2DArray volume;
layout(binding = 0, FORMAT) writeonly uniform image3D target;
uniform float per_unit;
uniform vec3 first;  // voxel in texel 0 0 0

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, imageSize(target).xy))) return;
  float value = per_unit * texelFetch(volume, at + ivec3(first), 0).r;
#ifdef HALF
  value = nearest_half(value);
#endif
  imageStore(target, at, vec4(value));
}

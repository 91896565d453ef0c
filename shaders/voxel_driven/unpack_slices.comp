#version 450 core
// From four slices a texel to one slice a layer: overwrites or accumulates.
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray sums;
layout(binding = 0, r32f) uniform image2DArray volume;
uniform int accumulate;

void main() {
  ivec3 texel = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(texel.xy, imageSize(volume).xy))) return;
  float value = texelFetch(sums, ivec3(texel.xy, texel.z >> 2), 0)[texel.z & 3];
  if (accumulate != 0) value += imageLoad(volume, texel).r;
  imageStore(volume, texel, vec4(value));
}

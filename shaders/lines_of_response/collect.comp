#version 450 core
// Adds integer sums to the image and clears them.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0, r32i) uniform iimage2DArray sums;
layout(binding = 1, r32f) uniform image2DArray volume;
uniform float unit;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(p, imageSize(volume)))) return;
  imageStore(volume, p, imageLoad(volume, p) + unit * float(imageLoad(sums, p).r));
  imageStore(sums, p, ivec4(0));
}

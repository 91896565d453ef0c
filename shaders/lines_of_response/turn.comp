#version 450 core
// Adds slices perpendicular to x (axis 0) or y (axis 1) to the image.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2DArray slices;
layout(binding = 1, r32f) uniform image2DArray volume;
uniform int axis;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(p, imageSize(volume)))) return;
  float sum = texelFetch(slices, axis == 0 ? p.yzx : p.xzy, 0).r;
  imageStore(volume, p, imageLoad(volume, p) + sum);
}

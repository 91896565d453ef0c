#version 450 core
// Adds a batch of views to their layers of the projections.
layout(local_size_x = 32, local_size_y = 8) in;

layout(std430, binding = 3) readonly buffer Items { ivec4 items[]; };
layout(binding = 2) uniform sampler2DArray image;
layout(binding = 0, r32f) uniform image2DArray projections;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, imageSize(projections).xy))) return;
  ivec3 to = ivec3(at.xy, items[at.z].y);
  imageStore(projections, to, imageLoad(projections, to) + texelFetch(image, at, 0).r);
}

#version 450 core
// Adds what a box of the volume shows of some planes that face the detector to their images: an invocation is a pixel
// of a plane.
layout(local_size_x = 32, local_size_y = 8) in;
#include "emission/crossing.glsl"

layout(binding = 0, r32f) uniform image2DArray images;  // plane k of item i in layer i * held + k % held
uniform int plane;  // the first
uniform int count;
uniform int held;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, imageSize(images).xy))) return;
  int item = at.z / count, k = plane + at.z % count;
  vec3 here, center;
  Crossing c = meeting(items[item].x, vec2(at.xy), k, here, center);
  if (c.way == 0.0) return;
  at.z = item * held + k % held;
  imageStore(images, at, imageLoad(images, at) + activity_at(c));
}

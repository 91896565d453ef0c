#version 450 core
// The transpose of compositing some planes: what a pixel holds goes from the first of them to the last, and each plane is
// given its share, in a layer of its own. What is left is for what lies behind.
layout(local_size_x = 32, local_size_y = 8) in;
#include "emission/crossing.glsl"
#include "emission/blur.glsl"
#include "emission/behind/kept.glsl"  // or spread

layout(binding = 0, r32f) writeonly uniform image2DArray given;
layout(binding = 1) writeonly uniform image2DArray behind;
uniform int plane;  // the first
uniform int count;
uniform int held;   // planes of a view in `given`

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, imageSize(behind).xy))) return;
  float left = texelFetch(image, at, 0).r;
  Crossing c;
  for (int k = plane; k < plane + count; ++k) {
    c = crossing(at.z, vec2(at.xy), k);
    imageStore(given, ivec3(at.xy, at.z * held + k % held), vec4(sqrt(c.passes) * c.path * left));
    left *= c.passes;
  }
  imageStore(behind, at, vec4(left_behind(left, c.variance), 0.0, 0.0));
}

#version 450 core
// The transpose of compositing some planes. A pixel's value passes from the first plane to the last, and each plane
// gets its share, in its own layer. The rest passes on to the planes behind.
layout(local_size_x = 32, local_size_y = 8) in;
#include "emission/crossing.glsl"
#include "emission/blur.glsl"
#include "emission/behind/kept.glsl"  // or spread

layout(binding = 0, r32f) writeonly uniform image2DArray shares;
layout(binding = 1) writeonly uniform image2DArray behind;
uniform int plane;  // first plane
uniform int count;
uniform int held;   // planes per view in `shares`

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, imageSize(behind).xy))) return;
  float left = texelFetch(image, at, 0).r;
  Crossing c;
  for (int k = plane; k < plane + count; ++k) {
    c = crossing(at.z, vec2(at.xy), k);
    imageStore(shares, ivec3(at.xy, at.z * held + k % held), vec4(sqrt(c.passes) * c.path * left));
    left *= c.passes;
  }
  imageStore(behind, at, vec4(left_behind(left, c.variance), 0.0, 0.0));
}

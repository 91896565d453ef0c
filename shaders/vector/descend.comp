#version 450 core
// A step of x against D'z: the arithmetic of backlit/device/total_variation.hpp, voxel by voxel.
//   WEIGHTED   to = from - weights (gradient + 2 D'z - before), and before = D'z; otherwise to = from - D'z
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray from;
layout(binding = 1) uniform sampler2DArray z0;
layout(binding = 2) uniform sampler2DArray z1;
layout(binding = 3) uniform sampler2DArray z2;
layout(binding = 0, r32f) writeonly uniform image2DArray to;
#ifdef WEIGHTED
layout(binding = 4) uniform sampler2DArray weights;
layout(binding = 5) uniform sampler2DArray gradient;
layout(binding = 1, r32f) uniform image2DArray before;
#endif
uniform vec3 weight;
uniform float low, high;

float divergence(ivec3 v) {
  vec3 change = -vec3(texelFetch(z0, v, 0).r, texelFetch(z1, v, 0).r, texelFetch(z2, v, 0).r);
  if (v.x > 0) change.x += texelFetch(z0, v - ivec3(1, 0, 0), 0).r;
  if (v.y > 0) change.y += texelFetch(z1, v - ivec3(0, 1, 0), 0).r;
  if (v.z > 0) change.z += texelFetch(z2, v - ivec3(0, 0, 1), 0).r;
  return dot(weight, change);
}

void main() {
  ivec3 v = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(v, imageSize(to)))) return;
  float now = divergence(v), change = now;
#ifdef WEIGHTED
  change = texelFetch(weights, v, 0).r * (texelFetch(gradient, v, 0).r + 2.0 * now - imageLoad(before, v).r);
  imageStore(before, v, vec4(now));
#endif
  imageStore(to, v, vec4(clamp(texelFetch(from, v, 0).r - change, low, high)));
}

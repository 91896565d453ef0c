#version 450 core
// z = z + step Dx, shortened to `radius`: the arithmetic of backlit/device/total_variation.hpp, voxel by voxel.
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray x;
layout(binding = 0, r32f) uniform image2DArray z0;
layout(binding = 1, r32f) uniform image2DArray z1;
layout(binding = 2, r32f) uniform image2DArray z2;
uniform vec3 weight;
uniform float step, radius;

void main() {
  ivec3 v = ivec3(gl_GlobalInvocationID), size = imageSize(z0);
  if (any(greaterThanEqual(v, size))) return;
  float here = texelFetch(x, v, 0).r;
  ivec3 last = size - 1;
  // At the far ends the neighbour is the voxel itself.
  vec3 next = vec3(texelFetch(x, min(v + ivec3(1, 0, 0), last), 0).r, texelFetch(x, min(v + ivec3(0, 1, 0), last), 0).r,
                   texelFetch(x, min(v + ivec3(0, 0, 1), last), 0).r);
  vec3 z = vec3(imageLoad(z0, v).r, imageLoad(z1, v).r, imageLoad(z2, v).r) + step * weight * (next - here);
  float square = dot(z, z);
  if (square > radius * radius) z *= radius / sqrt(square);
  imageStore(z0, v, vec4(z.x));
  imageStore(z1, v, vec4(z.y));
  imageStore(z2, v, vec4(z.z));
}

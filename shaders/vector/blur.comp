#version 450 core
// Smooths along one axis, as in backlit/device/blur.hpp: weights of the voxel itself, of both its neighbours, ...
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray source;
layout(binding = 0, r32f) writeonly uniform image2DArray target;
layout(std430, binding = 0) readonly buffer Weights { float weights[]; };
uniform int axis;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID), size = imageSize(target), step = ivec3(0);
  if (any(greaterThanEqual(p.xy, size.xy))) return;
  step[axis] = 1;
  float sum = weights[0] * texelFetch(source, p, 0).r;
  for (int k = 1; k < weights.length(); ++k) {
    if (p[axis] >= k) sum += weights[k] * texelFetch(source, p - k * step, 0).r;
    if (p[axis] + k < size[axis]) sum += weights[k] * texelFetch(source, p + k * step, 0).r;
  }
  imageStore(target, p, vec4(sum));
}

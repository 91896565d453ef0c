#version 450 core
layout(local_size_x = 32, local_size_y = 8) in;
#include "emission/pass.glsl"

layout(binding = 0) writeonly uniform image2DArray target;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (all(lessThan(at.xy, imageSize(target).xy))) imageStore(target, at, vec4(value_at(at), 0.0, 0.0));
}

#version 450 core
layout(local_size_x = 32, local_size_y = 8) in;
#include "shared/weigh.glsl"

layout(binding = 0, r32f) writeonly uniform image2DArray target;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (all(lessThan(at.xy, imageSize(target).xy))) imageStore(target, at, vec4(weighed(at.xy, at.z)));
}

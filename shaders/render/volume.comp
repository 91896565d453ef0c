#version 450 core
// Rays through a volume, one per invocation. Groups are small squares, so that their rays stay close together in the
// texture.
#include "render/volume.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (in_picture(pixel)) trace(pixel);
}

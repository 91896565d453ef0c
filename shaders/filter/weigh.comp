#version 450 core
// The weights alone, for convolve.comp, of rows with their continuation.
#include "filter/weigh.glsl"

layout(local_size_x = 64) in;

layout(binding = 0, r32f) writeonly uniform image2DArray weighed_views;
uniform int first_view, first_layer;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (p.x >= imageSize(weighed_views).x) return;
  imageStore(weighed_views, p, vec4(continued(p.x - extension, p.y, first_view + p.z, first_layer + p.z)));
}

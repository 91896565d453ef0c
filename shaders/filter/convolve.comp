#version 450 core
// The filter as a sum over the row, for rows whose transform does not fit shared memory.
#include "filter/kernel/even.glsl"  // or odd

layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler2DArray weighed_views;
layout(binding = 0, FORMAT) writeonly uniform image2DArray filtered;
layout(std430, binding = 3) readonly buffer Taps { float taps[]; };  // from the middle outwards
uniform int first_out;
uniform int extension;  // columns before column 0 of the weighted row, and after its last

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  int columns = imageSize(filtered).x;
  if (p.x >= columns) return;
  float sum = 0.0;
  for (int c = 0; c < columns + 2 * extension; ++c) {
    int away = p.x + extension - c;
    float tap = taps[abs(away)];
    if (odd_kernel) tap *= sign(float(away));
    sum += tap * texelFetch(weighed_views, ivec3(c, p.yz), 0).r;
  }
  imageStore(filtered, p + ivec3(0, 0, first_out), vec4(sum));
}

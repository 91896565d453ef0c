// Reads the sum of earlier passes from one volume and writes the new sum to another.
#include "voxel_driven/texel.glsl"

layout(binding = 1) uniform sampler2DArray previous;
uniform int accumulate;
out vec4 value;

void add_to_volume(vec4 sum) {
  if (accumulate != 0) sum += texelFetch(previous, texel_drawn(), 0);
  value = sum;
}

// Fragments store to the volume themselves. FORMAT is the format of its texels.
#include "voxel_driven/texel.glsl"

layout(early_fragment_tests) in;
layout(binding = 0, FORMAT) uniform image2DArray volume;
uniform int accumulate;

void add_to_volume(vec4 sum) {
  ivec3 texel = texel_drawn();
  if (accumulate != 0) sum += imageLoad(volume, texel);
  imageStore(volume, texel, sum);
}

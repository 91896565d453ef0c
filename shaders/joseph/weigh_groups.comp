#version 450 core
// Makes the input of gather_orbits.comp: the four views of a group in a texel. Each view is a quarter turn from the one
// before, so all have the first view's lengths.
#include "joseph/weigh_columns.glsl"
#include "joseph/groups.glsl"
#include "shared/nearest_half.glsl"
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0, rgba16f) writeonly uniform image2DArray weighed;
uniform float per_unit;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, ivec2(columns, rows)))) return;
  float scale = per_unit * length_in_slab(groups[at.z].view.x, at.xy);
  vec4 four;
  for (int c = 0; c < 4; ++c) four[c] = nearest_half(scale * pixel_of(at.xy, groups[at.z].layers[c]));
  imageStore(weighed, at, four);
}

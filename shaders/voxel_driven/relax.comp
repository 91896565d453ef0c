#version 450 core
// SART's correction: an invocation is SLICES voxels of a column.
#include "shared/morton.glsl"
#include "voxel_driven/relax.glsl"

void main() {
  ivec2 p = pixel_of_invocation();
  if (all(lessThan(p, imageSize(volume).xy))) relax_column(p, int(gl_WorkGroupID.z) * SLICES);
}

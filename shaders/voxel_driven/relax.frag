#version 450 core
// SART's correction: a fragment is SLICES voxels of a column. It stores its results itself, without the blend unit.
#include "voxel_driven/relax.glsl"

flat in int first_of_column;

void main() { relax_column(ivec2(gl_FragCoord.xy), first_of_column); }

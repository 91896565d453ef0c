// Line integrals along lines through the voxels that a texture holds.
#include "shared/line.glsl"

uniform float unit;         // what a stored 1 means
uniform vec3 brick_first;   // the voxels that the texture holds: a part of the grid, or all
uniform vec3 brick_size;

#include "shared/line_sum/raycast_slices.glsl"  // or raycast_texture3d, blob

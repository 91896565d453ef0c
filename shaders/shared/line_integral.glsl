// Integrals along lines through the voxels in a texture.
#include "shared/line.glsl"

uniform float unit;         // value of a stored 1
uniform vec3 brick_first;   // the voxels in the texture: a part of the grid, or all
uniform vec3 brick_size;

#include "shared/line_sum/raycast_slices.glsl"  // or raycast_texture3d, blob

// Ray casting through a 3-D texture.
#include "shared/box/hardware.glsl"  // or software

layout(binding = 0) uniform sampler3D volume;

/// At a voxel index of the grid.
float value_at(vec3 at) { return sample_box(volume, brick_first, brick_size, at); }

#include "raycast/line_integral.glsl"

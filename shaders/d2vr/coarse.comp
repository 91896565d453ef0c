#version 450 core
// The coarse volume: values at the corners of cells. An invocation makes SAMPLES of them along z.
#include "d2vr/reconstruct_along.glsl"
#include "shared/tile.glsl"

layout(binding = 0, r32f) writeonly uniform image3D nodes;
uniform vec3 first_point, cell;  // mm

void main() {
  ivec3 node = ivec3(gl_WorkGroupID) * ivec3(8, 8, SAMPLES) + ivec3(tile_pixel(), 0);
  float t[SAMPLES], value[SAMPLES];
  for (int k = 0; k < SAMPLES; ++k) t[k] = float(k);
  reconstruct_along(first_point + vec3(node) * cell, vec3(0.0, 0.0, cell.z), t, value);
  // Stores outside the image do nothing.
  for (int k = 0; k < SAMPLES; ++k) imageStore(nodes, node + ivec3(0, 0, k), vec4(value[k]));
}

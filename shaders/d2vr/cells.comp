#version 450 core
// For each cell of the coarse volume: the least and largest value at its corners and its middle, and the distance of
// the middle's value from the mean of the corners. In the middle, trilinear interpolation has its largest error.
#include "d2vr/reconstruct_along.glsl"
#include "shared/tile.glsl"

layout(binding = 2) uniform sampler3D nodes;
layout(binding = 0, rgba32f) writeonly uniform image3D cells;
uniform vec3 first_point, cell;  // mm

vec4 look_at(ivec3 c, float middle) {
  float least = middle, most = middle, mean = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    float value = texelFetch(nodes, c + (ivec3(corner) >> ivec3(0, 1, 2) & 1), 0).r;
    least = min(least, value);
    most = max(most, value);
    mean += 0.125 * value;
  }
  return vec4(least, most, abs(middle - mean), 0.0);
}

void main() {
  ivec3 c = ivec3(gl_WorkGroupID) * ivec3(8, 8, SAMPLES) + ivec3(tile_pixel(), 0), size = imageSize(cells);
  float t[SAMPLES], middle[SAMPLES];
  for (int k = 0; k < SAMPLES; ++k) t[k] = float(k);
  reconstruct_along(first_point + vec3(c) * cell, vec3(0.0, 0.0, cell.z), t, middle);
  for (int k = 0; k < SAMPLES; ++k) {
    ivec3 at = c + ivec3(0, 0, k);
    if (all(lessThan(at, size))) imageStore(cells, at, look_at(at, middle[k]));
  }
}

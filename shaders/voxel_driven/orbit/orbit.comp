#version 450 core
// The arithmetic of orbit.frag with SLICES slices an invocation and all groups at once: position and weight do not
// depend on z. Invocations are in Morton order. Texture units serve four neighbours together: in this order they are a
// square of voxels, not a row.
#include "voxel_driven/orbit/orbit.glsl"

layout(local_size_x = 64) in;  // a tile of 16 x 4 orbits

layout(binding = 0) uniform sampler2DArray projections;
layout(binding = 0, r32f) uniform image2DArray volume;
uniform int group_count;
uniform int n;         // voxels along a slice's edge
uniform int slices;    // number of slices of the image
uniform float margin;  // half a row, as a fraction: samples so far beyond the border still count
uniform float unit;    // value of a stored 1
uniform int accumulate;

void main() {
  int lane = int(gl_LocalInvocationID.x);
  int within = lane & 31;
  ivec2 tile = ivec2((within & 1) | (within >> 1 & 2) | (within >> 2 & 4), (within >> 1 & 1) | (within >> 2 & 2));
  ivec2 p = ivec2(gl_WorkGroupID.xy) * ivec2(16, 4) + ivec2((lane >> 5) * 8, 0) + tile;
  int first = int(gl_WorkGroupID.z) * SLICES;
  int odd = n & 1;
  int side = (n + 1) / 2;
  // Odd sizes: columns with p.y = 0 < p.x are those with p.x = 0 < p.y after a turn.
  if (p.x >= side || p.y >= side || (odd == 1 && p.y == 0 && p.x > 0)) return;
  vec2 place = spacing * (vec2(p) + middle);
  float slice = float(first_slice + first);
  vec4 sum[SLICES];
  for (int k = 0; k < SLICES; ++k) sum[k] = vec4(0.0);
  for (int i = 0; i < group_count; ++i) {
    vec2 ab = in_view(place, i);
    for (int j = 0; j < 4; ++j) {
      vec2 at = orbit_voxel(ab.x, ab.y, j);
      float r = reciprocal_depth(at.x);
      float column = detector.x + detector.y * (r * at.y);
      float scale = detector.w * r;
      // Row of slice 0, so that slabs equal the whole to the bit.
      float row = detector.z + scale * z.y, row_step = scale * z.x;
      float lowest = fma(slice, row_step, row), last = fma(slice + float(SLICES - 1), row_step, row);
      if (max(lowest, last) <= -margin || min(lowest, last) >= 1.0 + margin) continue;
      float weight = weight_at(r);
      for (int k = 0; k < SLICES; ++k) {
        precise float there = fma(slice + float(k), row_step, row);
        vec4 t = textureLod(projections, vec3(column, there, float(i)), 0.0);
        sum[k] += weight * turned(t, j);
      }
    }
  }
  ivec2 x = 2 * p + 1 - odd;
  for (int k = 0; k < SLICES && first + k < slices; ++k)
    for (int j = 0; j < 4; ++j) {
      if (j > 0 && odd == 1 && p == ivec2(0)) break;  // the middle column is one voxel
      ivec2 s = j == 0 ? x : j == 1 ? ivec2(-x.y, x.x) : j == 2 ? -x : ivec2(x.y, -x.x);
      ivec3 texel = ivec3((s + n - 1) / 2, first + k);
      float value = unit * sum[k][j];
      if (accumulate != 0) value += imageLoad(volume, texel).r;
      imageStore(volume, texel, vec4(value));
    }
}

#version 450 core
// The arithmetic of slice.frag for SLICES voxels of a column, all views of the pass in one go; positions are affine in z,
// counted from the plan's slice 0, so that slabs give the very bits of the whole.
// Invocations are laid out in Morton order, because texture units serve four neighbours together: a square of voxels
// then, not a row.
#include "voxel_driven/contribution.glsl"

layout(local_size_x = 256) in;  // a tile of 16 x 16 voxels

layout(binding = 0, FORMAT) uniform image2DArray volume;  // PACK_SLICES: four slices a texel
uniform int projection;  // layer of this pass's first view
uniform int projection_stride;
uniform int first_slice;  // of the volume, that layer 0 of the image holds
uniform int view_count;
uniform int accumulate;
uniform float unit;        // what a stored 1 means
uniform vec2 first_voxel;  // of the plan's grid, that texel 0 0 holds

float sum[SLICES];

void sum_views(vec2 column, float z) {
  for (int k = 0; k < SLICES; ++k) sum[k] = 0.0;
  for (int i = 0; i < view_count; ++i) {
    int view = first_view + i * view_stride;
    POSITION position = foot_of(views[view], column);
    POSITION up = coefficients(views[view], 2);
    float layer = float(projection + i * projection_stride);
    for (int k = 0; k < SLICES; ++k) sum[k] += contribution(raised(position, up, z + float(k)), view, layer);
  }
}

void main() {
  int lane = int(gl_LocalInvocationID.x), warp = lane >> 5;
  ivec2 tile = ivec2((lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4), (lane >> 1 & 1) | (lane >> 2 & 2));
  ivec2 p = ivec2(gl_WorkGroupID.xy) * 16 + ivec2((warp & 1) * 8, (warp >> 1) * 4) + tile;
  ivec3 size = imageSize(volume);
  int first = int(gl_WorkGroupID.z) * SLICES;
  if (p.x >= size.x || p.y >= size.y) return;
  vec2 column = vec2(p) + first_voxel;
  float z = float(first_slice + first);
  sum_views(column, z);
#ifdef BORDER_IN_SOFTWARE
  if (border_met) {
    samples_border = true;
    sum_views(column, z);
  }
#endif
#ifdef PACK_SLICES
  for (int k = 0; k < SLICES && first + k < 4 * size.z; k += 4) {
    ivec3 texel = ivec3(p, (first + k) / 4);
    vec4 value = unit * vec4(sum[k], sum[k + 1], sum[k + 2], sum[k + 3]);
    if (accumulate != 0) value += imageLoad(volume, texel);
    imageStore(volume, texel, value);
  }
#else
  for (int k = 0; k < SLICES && first + k < size.z; ++k) {
    ivec3 texel = ivec3(p, first + k);
    float value = unit * sum[k];
    if (accumulate != 0) value += imageLoad(volume, texel).r;
    imageStore(volume, texel, vec4(value));
  }
#endif
}

#version 450 core
// The arithmetic of mp_gpu.frag for SLICES voxels of a column, with all views of the pass at once. Positions are affine
// in z, counted from the plan's slice 0, so that slabs equal the whole to the bit.
#include "shared/morton.glsl"
#include "voxel_driven/contribution.glsl"

uniform int first_slice;   // slice of the plan's grid in layer 0 of the image
uniform int accumulate;

float sum[SLICES];

#include "voxel_driven/columns/slices.glsl"  // or packed

void sum_views(vec2 column, float z) {
  for (int k = 0; k < SLICES; ++k) sum[k] = 0.0;
  for (int i = 0; i < view_count; ++i) {
    int view = view_of(i);
    POSITION position = foot_of(views[view], column);
    POSITION up = coefficients(views[view], 2);
    float layer = layer_of(i);
    for (int k = 0; k < SLICES; ++k) sum[k] += contribution(raised(position, up, z + float(k)), view, layer);
  }
}

void main() {
  ivec2 p = pixel_of_invocation();
  if (any(greaterThanEqual(p, imageSize(volume).xy))) return;
  int first = int(gl_WorkGroupID.z) * SLICES;
  vec2 column = vec2(p);
  float z = float(first_slice + first);
  sum_views(column, z);
  if (again()) sum_views(column, z);
  store_column(p, first);
}

// SART's correction in one pass, for SLICES voxels of a column.
#include "voxel_driven/mean_of_views.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int first_slice;   // slice of the plan's grid in layer 0 of the image

void relax_column(ivec2 p, int first) {
  int count = min(SLICES, imageSize(volume).z - first);
  vec2 column = vec2(p);
  float z = float(first_slice + first);  // counted from the plan's slice 0, so that slabs equal the whole to the bit
  float sum[SLICES], seen[SLICES], old[SLICES];
  for (int k = 0; k < SLICES; ++k) {
    sum[k] = seen[k] = 0.0;
    old[k] = imageLoad(volume, ivec3(p, first + k)).r;  // early, so that it arrives while views are fetched
  }
  for (int i = 0; i < view_count; ++i) {
    POSITION position = foot_of(views[view_of(i)], column);
    POSITION up = coefficients(views[view_of(i)], 2);
    for (int k = 0; k < SLICES; ++k) add_view(raised(position, up, z + float(k)), i, sum[k], seen[k]);
  }
  for (int k = 0; k < SLICES; ++k)
    if (k < count) imageStore(volume, ivec3(p, first + k), vec4(relaxed(old[k], unit * sum[k], seen[k], view_count)));
}

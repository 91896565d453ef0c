// Pixels times the length of their rays in a slice's slab, for the transpose by columns.
#include "joseph/column_rays.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform vec3 spacing;        // mm between voxels along x, y, z
uniform float most_sideways; // voxels a slice: steeper rays miss the grid
uniform int rows_run_down;   // 1 where row 0 is the highest

// mm of a pixel's ray in a slice's slab; the pixel's row is counted upwards along z.
float length_in_slab(int view, ivec2 pixel) {
  ColumnRayView v = column_views[view];
  ColumnRay ray = column_ray(view, pixel.x);
  float up = climb(ray, float(pixel.y - rows / 2) - row_of(v));
  if (!(ray.slope * ray.slope + up * up <= most_sideways * most_sideways)) return 0.0;
  vec2 mm = ray.axis == 0.0 ? spacing.xy : spacing.yx;
  return length(vec3(mm.x, ray.slope * mm.y, up * spacing.z));
}

float pixel_of(ivec2 pixel, int layer) {
  int row = rows_run_down != 0 ? rows - 1 - pixel.y : pixel.y;
  return texelFetch(projections, ivec3(pixel.x, row, layer), 0).r;
}

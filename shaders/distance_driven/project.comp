#version 450 core
// Cells from summed areas of slabs perpendicular to `axis`: an invocation makes LINES rows of a column.
layout(local_size_x = 32, local_size_y = 4) in;
#include "distance_driven/table.glsl"
#include "distance_driven/views.glsl"

layout(binding = 0, r32f) uniform image2DArray projections;
uniform int axis, slabs;
uniform int first_slab;  // first slab of the grid in the table
uniform int first_view, view_stride;
uniform int first_layer, layer_stride;

void main() {
  int c = int(gl_GlobalInvocationID.x);
  ivec2 lines = neighbours(int(gl_GlobalInvocationID.y), int(gl_WorkGroupSize.y));
  int view = first_view + int(gl_GlobalInvocationID.z) * view_stride;
  if (c >= detector.x || lines.x >= detector.y || kinds[view].x != axis) return;
  Column column = columns[view * (detector.x + 1) + c];
  vec2 left = column.edge.xy, right = columns[view * (detector.x + 1) + c + 1].edge.xy;
  float most = image_size.x - 1.0;
  for (int r = 0; r < LINES; ++r) sums[r] = 0.0;
  for (int slab = 0; slab < slabs; ++slab) {
    float s = float(first_slab + slab);
    vec2 rows = fma(vec2(s), column.rows.yw, column.rows.xz);
    vec2 edges = vec2(fma(s, left.y, left.x), fma(s, right.y, right.x));
    bool wide = rounds && edges.y - edges.x > least_width;
    vec2 part = clamp(edges, 0.0, most), across = vec2(placed(part.x, wide), placed(part.y, wide));
    if (across.x >= across.y) continue;
    float over = 1.0 / ((edges.y - edges.x) * rows.y), share = (part.y - part.x) / (across.y - across.x);
    part = part_across(part);
    across = part_across(across);
    if (across.x >= across.y && part.x >= part.y) continue;
    add_lines(across, rows, vec2(0.0), lines.x, lines.y, over * share, over * level_between(part, slab), slab);
  }
  int at = kinds[view].y != 0 ? detector.x - 1 - c : c;
  for (int r = 0; r < LINES; ++r) {
    int row = lines.x + r * lines.y;
    if (row >= detector.y) break;
    ivec3 cell = ivec3(at, row, first_layer + int(gl_GlobalInvocationID.z) * layer_stride);
    float value = sums[r] * length_in_slab(column, float(row));
    imageStore(projections, cell, vec4(imageLoad(projections, cell).r + value));
  }
}

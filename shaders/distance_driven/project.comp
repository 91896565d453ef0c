#version 450 core
// Cells from summed areas of slabs perpendicular to `axis`: an invocation is LINES rows of a column, which share edges.
layout(local_size_x = 32, local_size_y = 4) in;
#include "distance_driven/table.glsl"
#include "distance_driven/views.glsl"

layout(binding = 0, r32f) uniform image2DArray projections;
uniform int axis, slabs;
uniform int first_view, view_stride;
uniform int first_layer, layer_stride;

void main() {
  int c = int(gl_GlobalInvocationID.x), first_row = LINES * int(gl_GlobalInvocationID.y);
  int view = first_view + int(gl_GlobalInvocationID.z) * view_stride;
  if (c >= detector.x || first_row >= detector.y || kinds[view].x != axis) return;
  Column column = columns[view * (detector.x + 1) + c];
  vec2 left = column.edge.xy, right = columns[view * (detector.x + 1) + c + 1].edge.xy;
  float most = table_size.x - 1.0;
  vec2 base = column.rows.xy + float(first_row) * column.rows.zw;
  float sums[LINES];
  for (int r = 0; r < LINES; ++r) sums[r] = 0.0;
  for (int slab = 0; slab < slabs; ++slab) {
    float s = float(slab), height = fma(s, column.rows.w, column.rows.z), z = fma(s, base.y, base.x);
    vec2 edges = vec2(fma(s, left.y, left.x), fma(s, right.y, right.x));
    bool wide = rounds && edges.y - edges.x > least_width, high = rounds && abs(height) > least_width;
    vec2 across = clamp(vec2(placed(edges.x, wide), placed(edges.y, wide)), 0.0, most), part = clamp(edges, 0.0, most);
    if (across.x >= across.y) continue;
    float over = (part.y - part.x) / ((edges.y - edges.x) * (across.y - across.x) * height);
    vec2 from = edge(z, 0.0, high);
    float before = below(across, from.y, s);
    for (int r = 0; r < LINES; ++r) {
      vec2 to = edge(fma(float(r + 1), height, z), 0.0, high);
      float next = below(across, to.y, s);
      sums[r] += (next - before) * (high ? over * stretch(from, to) : over);
      from = to;
      before = next;
    }
  }
  int at = kinds[view].y != 0 ? detector.x - 1 - c : c;
  for (int r = 0; r < LINES && first_row + r < detector.y; ++r) {
    ivec3 cell = ivec3(at, first_row + r, first_layer + int(gl_GlobalInvocationID.z) * layer_stride);
    float value = sums[r] * length_in_slab(column, float(first_row + r));
    imageStore(projections, cell, vec4(imageLoad(projections, cell).r + value));
  }
}

#version 450 core
// Numbers of triangles and vertices of each row of cells, a work group a row. A vertex belongs to the cell at the start
// of its edge.
#include "isosurface/cells.glsl"
layout(local_size_x = GROUP) in;

layout(binding = 2, std430) writeonly buffer Rows { uvec2 rows[]; };
uniform int row_end;

shared uvec2 sums[GROUP];

void main() {
  uint row = row_of_group(0), lane = gl_LocalInvocationID.x;
  if (row >= uint(row_end)) return;
  uvec2 found = uvec2(0);
  ivec3 cell = first_cell(row);
  for (cell.x = int(lane); cell.x < cells().x; cell.x += GROUP)
    found += uvec2(table[entry_of(inside_corners(cell))], bitCount(crossings(cell)));
  sums[lane] = found;
  for (uint half_group = GROUP / 2; half_group > 0u; half_group /= 2u) {
    barrier();
    if (lane < half_group) sums[lane] += sums[lane + half_group];
  }
  if (lane == 0u) rows[row] = sums[0];
}

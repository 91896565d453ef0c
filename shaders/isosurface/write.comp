#version 450 core
// Writes vertices and triangles of a range of rows of cells, a work group a row. A vertex is found by counting: all
// vertices before its row, and those before it in the row, which the group sums for the four rows that a cell touches.
#include "isosurface/cells.glsl"
layout(local_size_x = GROUP) in;

layout(binding = 2, std430) readonly buffer Rows { uvec2 rows[]; };  // triangles and vertices before each row
layout(binding = 3, std430) writeonly buffer Vertices { float vertices[]; };
layout(binding = 4, std430) writeonly buffer Triangles { uint triangles[]; };
uniform int first_row, row_end;

shared uvec2 sums[GROUP];

// Sums over all invocations up to this one. `all_lanes`: over the whole group.
uvec2 sum_up_to(uint lane, uvec2 own, out uvec2 all_lanes) {
  barrier();  // the last sums have been read
  sums[lane] = own;
  for (uint distance = 1u; distance < uint(GROUP); distance *= 2u) {
    barrier();
    uvec2 before = lane >= distance ? sums[lane - distance] : uvec2(0);
    barrier();
    sums[lane] += before;
  }
  barrier();
  all_lanes = sums[GROUP - 1];
  return sums[lane];
}

// Four counts in one number. A group of 64 cells has at most 192 vertices a row.
uvec4 unpacked(uint four) { return uvec4(four) >> uvec4(0, 8, 16, 24) & 255u; }

ivec3 row_offset(int row) { return ivec3(0, row & 1, row >> 1); }

uint vertices_of_four_rows(ivec3 cell) {
  uint four = 0u;
  for (int row = 0; row < 4; ++row) four |= uint(bitCount(crossings(cell + row_offset(row)))) << 8 * row;
  return four;
}

void write_vertex(uint index, ivec3 at, int axis) {
  ivec3 step = ivec3(axis == 0, axis == 1, axis == 2);
  ivec3 to = at + step;
  double share = 0.5;  // the end of the grid: the outer face of its last voxel
  if (in_grid(at) && in_grid(to)) {
    double a = double(value_at(at)), b = double(value_at(to));
    share = (origin.w - a) / (b - a);
  }
  dvec3 place = dvec3(at - 1) + share * dvec3(step);  // place[axis] += share: NVIDIA's compiler stops at it
  vec3 position = vec3(origin.xyz + spacing.xyz * place);
  uint first = 3u * (index - rows[first_row].y);
  for (int i = 0; i < 3; ++i) vertices[first + uint(i)] = position[i];
}

void write_vertices(uint index, ivec3 cell) {
  uint crossed = crossings(cell);
  for (int axis = 0; axis < 3; ++axis)
    if ((crossed >> axis & 1u) != 0u) write_vertex(index++, cell, axis);
}

// `begins`: vertices before those of this cell, and before those of the next, in each of the four rows.
uint vertex_on(ivec3 cell, uint edge, uvec4 begins[2]) {
  int axis = int(edge) / 4;
  ivec3 offset = ivec3(0);
  offset[(axis + 1) % 3] = int(edge) & 1;
  offset[(axis + 2) % 3] = int(edge) >> 1 & 1;
  uint before = crossings(cell + offset) & ((1u << axis) - 1u);
  return begins[offset.x][offset.y + 2 * offset.z] + uint(bitCount(before));
}

void write_triangles(uint index, uint inside, ivec3 cell, uvec4 begins[2]) {
  uint entry = entry_of(inside), first = 3u * (index - rows[first_row].x);
  for (uint t = 0u; t < table[entry]; ++t) {
    uint edges = table[entry + 1u + t];
    for (uint n = 0u; n < 3u; ++n)
      triangles[first + 3u * t + n] = vertex_on(cell, edges >> 4u * n & 15u, begins);
  }
}

void main() {
  uint row = row_of_group(first_row), lane = gl_LocalInvocationID.x, lines = uint(cells().y);
  if (row >= uint(row_end) || rows[row].x == rows[row + 1u].x) return;
  uint triangles_before = rows[row].x;
  uvec4 vertices_before = uvec4(rows[row].y, rows[row + 1u].y, rows[row + lines].y, rows[row + lines + 1u].y);
  ivec3 cell = first_cell(row);
  for (int first = 0; first < cells().x; first += GROUP) {
    cell.x = first + int(lane);
    bool exists = cell.x < cells().x;
    uint inside = exists ? inside_corners(cell) : 0u;
    uvec2 own = exists ? uvec2(table[entry_of(inside)], vertices_of_four_rows(cell)) : uvec2(0), all_lanes;
    uvec2 end = sum_up_to(lane, own, all_lanes), begin = end - own;
    uvec4 begins[2] = uvec4[2](vertices_before + unpacked(begin.y), vertices_before + unpacked(end.y));
    if (own.x > 0u) {
      write_vertices(begins[0].x, cell);
      write_triangles(triangles_before + begin.x, inside, cell, begins);
    }
    triangles_before += all_lanes.x;
    vertices_before += unpacked(all_lanes.y);
  }
}

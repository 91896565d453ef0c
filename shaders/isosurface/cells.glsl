// A slab of a volume as marching cubes sees it. Around the grid lies a border of samples that count as outside; indices
// of samples and cells count from the border. A row is the cells along x.
layout(binding = 0, std140) uniform Slab {
  dvec4 origin;     // mm, the centre of voxel (0, 0, 0); the value of the surface
  dvec4 spacing;    // mm
  ivec4 grid;       // voxels along x, y and z; the first slice of `values`
  int first_layer;  // of the slab's cells
  float threshold;  // the largest float that is not above the value
};
layout(binding = 0, std430) readonly buffer Values { float values[]; };
// For each set of inside corners: the number of triangles, and the edges of each, 4 bits an edge (cell_triangles()).
layout(binding = 1, std430) readonly buffer Table { uint table[]; };

ivec3 cells() { return grid.xyz + 1; }

ivec3 first_cell(uint row) {
  uint rows = uint(grid.y + 1);
  return ivec3(0, row % rows, first_layer + int(row / rows));
}

bool in_grid(ivec3 at) { return all(greaterThan(at, ivec3(0))) && all(lessThanEqual(at, grid.xyz)); }

float value_at(ivec3 at) { return values[((at.z - 1 - grid.w) * grid.y + at.y - 1) * grid.x + at.x - 1]; }

bool is_inside(ivec3 at) { return in_grid(at) && value_at(at) > threshold; }

// Bits of the axes along which the surface crosses the edge that begins at this sample.
uint crossings(ivec3 at) {
  bool here = is_inside(at);
  return uint(here != is_inside(at + ivec3(1, 0, 0))) | uint(here != is_inside(at + ivec3(0, 1, 0))) << 1 |
         uint(here != is_inside(at + ivec3(0, 0, 1))) << 2;
}

uint inside_corners(ivec3 cell) {
  uint inside = 0u;
  for (int c = 0; c < 8; ++c) inside |= uint(is_inside(cell + ivec3(c & 1, c >> 1 & 1, c >> 2))) << c;
  return inside;
}

uint entry_of(uint inside) { return inside * uint(ENTRY); }

// The row of a work group; groups are dispatched in lines of ROWS.
uint row_of_group(int first) { return uint(first) + gl_WorkGroupID.y * uint(ROWS) + gl_WorkGroupID.x; }

// A scan's columns for distance-driven projection (projectors/distance_driven/distance_driven.hpp): [view][columns +
// 1]. The last one is used for its edge only.
struct Column {
  vec4 edge;  // place at the middle of slab 0, movement per slab; mm^2 of the middle ray in a slab
  vec4 rows;  // base, base per slab, step, step per slab
};
layout(std430, binding = 1) readonly buffer Columns { Column columns[]; };
layout(std430, binding = 2) readonly buffer Kinds { ivec2 kinds[]; };  // [view] main axis; 1 where columns are reversed

uniform ivec2 detector;  // columns, rows
uniform float slice_mm;

// mm of the ray through the middle of a row's cell in a slab.
float length_in_slab(Column column, float row) {
  float rise = slice_mm * (column.rows.y + (row + 0.5) * column.rows.w);
  return sqrt(column.edge.z + rise * rise);
}

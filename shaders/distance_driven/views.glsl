// A scan's columns as distance-driven projection sees them (projectors/distance_driven/distance_driven.hpp): [view][columns + 1], the last
// one for its edge only.
struct Column {
  vec4 edge;  // where it meets the middle of slab 0 and how far it moves a slab; mm^2 of its middle ray in a slab
  vec4 rows;  // base, base a slab, step, step a slab
};
layout(std430, binding = 1) readonly buffer Columns { Column columns[]; };
layout(std430, binding = 2) readonly buffer Kinds { ivec2 kinds[]; };  // [view] main axis, whether columns run down

uniform ivec2 detector;  // columns, rows
uniform float slice_mm;

// mm that the ray through the middle of a row's cell spends in a slab.
float length_in_slab(Column column, float row) {
  float rise = slice_mm * (column.rows.y + (row + 0.5) * column.rows.w);
  return sqrt(column.edge.z + rise * rise);
}

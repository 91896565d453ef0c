// The views of a scan: rows of their matrices for (column, row, slice, 1) of a voxel. a / w and b / w are positions for
// sample_view(): pixels or fractions of the detector. FDK: divided by R, so that 1 / w^2 is the weight.
struct ViewRows {
  vec4 a, b, w;
  vec4 curve;  // curved: middle column and row, columns per radian, rows per unit of slope, in the same units
};
#include "shared/view_table/storage.glsl"  // or uniform

uniform int first_view;   // in views[], of this pass
uniform int view_stride;

#include "shared/beam/cone.glsl"  // or curved, parallel

// A voxel's position in a view, in three steps and one order of operations. It is the same to the bit in every slab,
// group of voxels and shader (except packed slices and quarter turns), because hardware's filter weights change by
// steps.

/// Position of a column of voxels in slice 0 of the plan's grid.
POSITION foot_of(ViewRows rows, vec2 column) {
  precise POSITION row = fma(POSITION(column.y), coefficients(rows, 1), coefficients(rows, 3));
  precise POSITION there = fma(POSITION(column.x), coefficients(rows, 0), row);
  return there;
}

/// Position in slice z from that in slice 0; `up` is the change per slice.
POSITION raised(POSITION position, POSITION up, float z) {
  precise POSITION there = fma(POSITION(z), up, position);
  return there;
}

POSITION place_of(ViewRows rows, vec3 voxel) { return raised(foot_of(rows, voxel.xy), coefficients(rows, 2), voxel.z); }

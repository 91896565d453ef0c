// The views of a scan: rows of their matrices on (column, row, slice, 1) of a voxel.
// a / w and b / w are what sample_view() takes: pixels or fractions of the detector. FDK: divided by R, so that 1 / w^2
// is the weight.
struct ViewRows {
  vec4 a, b, w;
  vec4 curve;  // curved: middle column and row, columns per radian, rows per unit of slope, in the same units
};
#include "shared/view_table/storage.glsl"  // or uniform

uniform int first_view;   // in views[], of this pass
uniform int view_stride;

#include "shared/beam/cone.glsl"  // or curved, parallel

// Where a view sees a voxel, in three steps and one order of operations: the same bits whatever slab, group of voxels or
// shader asks (except packed slices and quarter turns), since the weights that hardware filters with change by steps.

/// Where a column of voxels is in slice 0 of the plan's grid.
POSITION foot_of(ViewRows rows, vec2 column) {
  precise POSITION row = fma(POSITION(column.y), coefficients(rows, 1), coefficients(rows, 3));
  precise POSITION there = fma(POSITION(column.x), coefficients(rows, 0), row);
  return there;
}

/// From slice 0 to slice z, `up` for each.
POSITION raised(POSITION position, POSITION up, float z) {
  precise POSITION there = fma(POSITION(z), up, position);
  return there;
}

POSITION place_of(ViewRows rows, vec3 voxel) { return raised(foot_of(rows, voxel.xy), coefficients(rows, 2), voxel.z); }

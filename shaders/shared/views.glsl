// What every stage knows of the views: rows of their matrices on (column, row, slice, 1) of a voxel.
// a / w and b / w are what sample_view() takes: pixels or fractions of the detector. FDK: divided by R, so that 1 / w^2
// is the weight.
struct ViewRows {
  vec4 a, b, w;
  vec4 curve;  // curved: middle column and row, columns per radian, rows per unit of slope, in the same units
};
#ifdef UNIFORM_VIEWS  // their number
layout(std140, binding = 1) uniform Views { ViewRows views[UNIFORM_VIEWS]; };
#else
layout(std430, binding = 0) readonly buffer Views { ViewRows views[]; };
#endif

uniform int first_view;   // in views[], of this pass
uniform int view_stride;

// What travels from the polygon's corners to its fragments. Parallel beams need no w: it is 1.
#ifdef PARALLEL
#define POSITION vec2
#else
#define POSITION vec3
#endif

POSITION carry(ViewRows rows, vec4 voxel) {
#ifdef PARALLEL
  return vec2(dot(rows.a, voxel), dot(rows.b, voxel));
#else
  return vec3(dot(rows.a, voxel), dot(rows.b, voxel), dot(rows.w, voxel));
#endif
}

// carry() in three steps and one order of operations: the very bits whatever slab, group of voxels or shader asks (but for
// packed slices and quarter turns), since the weights that hardware filters with change by steps.

/// Of a voxel's column (0), row (1) and slice (2) in its place, and what is there without (3).
POSITION coefficients(ViewRows rows, int k) {
#ifdef PARALLEL
  return vec2(rows.a[k], rows.b[k]);
#else
  return vec3(rows.a[k], rows.b[k], rows.w[k]);
#endif
}

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

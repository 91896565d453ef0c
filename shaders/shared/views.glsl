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

// From slice 0 to slice z of the plan's grid, `up` for each: the very bits whatever slab or group of voxels asks.
POSITION raised(POSITION position, POSITION up, float z) {
  precise POSITION there = fma(POSITION(z), up, position);
  return there;
}

POSITION carry(ViewRows rows, vec4 voxel) {
#ifdef PARALLEL
  return vec2(dot(rows.a, voxel), dot(rows.b, voxel));
#else
  return vec3(dot(rows.a, voxel), dot(rows.b, voxel), dot(rows.w, voxel));
#endif
}

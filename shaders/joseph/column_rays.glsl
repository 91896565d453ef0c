// The rays of detector columns that run along z: the arithmetic of engine/projectors/joseph/column_rays.hpp, which
// explains all members. Slices and voxels are counted from the grid's middle, rows upwards along z.

uniform int columns, rows;  // of the detector

// The rays of a column in the slices perpendicular to `axis`.
struct ColumnRay {
  float place, slope, rows, axis;
};

// Numbers that the columns of a view share, in vectors, each of which takes one load.
struct ColumnRayView {
  vec4 a_w;       // a of (x, y, 1), w of x
  vec4 w_source;  // w of (y, 1), source
  uvec4 rest;     // bits of height, row and steepest; axes
  vec4 map[6];    // a ViewMap
};
layout(std430, binding = 0) readonly buffer ColumnRayViews { ColumnRayView column_views[]; };
layout(std430, binding = 1) readonly buffer ColumnRays { vec4 column_rays[]; };  // [view][column]

ColumnRay column_ray(int view, int column) {
  vec4 stored = column_rays[view * columns + column];
  return ColumnRay(stored.x, stored.y, stored.z, stored.w);
}
vec2 source_of(ColumnRayView v) { return v.w_source.zw; }
float height_of(ColumnRayView v) { return uintBitsToFloat(v.rest.x); }
float row_of(ColumnRayView v) { return uintBitsToFloat(v.rest.y); }
float steepest_of(ColumnRayView v) { return uintBitsToFloat(v.rest.z); }
bool has_axis(ColumnRayView v, int axis) { return (v.rest.w >> axis & 1u) != 0u; }

// a and w of a point (x, y).
vec2 a_and_w(ColumnRayView v, vec2 p) {
  return vec2(fma(v.a_w.x, p.x, fma(v.a_w.y, p.y, v.a_w.z)), fma(v.a_w.w, p.x, fma(v.w_source.x, p.y, v.w_source.y)));
}

#include "joseph/column/flat.glsl"  // or curved
#include "joseph/beam/cone.glsl"    // or parallel

// A voxel column at (x, y), relative to the slices along one axis of a view.
struct VoxelColumn {
  float slice, place;  // x and y for axis 0, y and x for axis 1
  float along;         // slices from the source
  int first, last;     // detector columns whose rays may pass within a voxel; none when last < first
};

VoxelColumn voxel_column(ColumnRayView v, int axis, vec2 p) {
  VoxelColumn c;
  c.slice = axis == 0 ? p.x : p.y;
  c.place = axis == 0 ? p.y : p.x;
  vec2 from = p - source_of(v);
  c.along = axis == 0 ? from.x : from.y;
  c.first = 0;
  c.last = -1;
  if (passes_beside(v, axis == 0 ? from.y : from.x, c.along)) return c;
  vec2 aside = axis == 0 ? vec2(0.0, 1.0) : vec2(1.0, 0.0);
  float lower = column_of(v, p - aside), upper = column_of(v, p + aside);
  float low = min(lower, upper), high = max(lower, upper), end = float(columns - 1);
  if (!(high >= 0.0 && low <= end)) return c;
  const float margin = 1e-3;  // rounding
  c.first = int(ceil(max(low - margin, 0.0)));
  c.last = int(floor(min(high + margin, end)));
  return c;
}

// A ray column's share of a voxel column (0 where it does not pass), and its rows per voxel along z.
struct ColumnShare {
  float share, step;
};
ColumnShare column_share(ColumnRay ray, VoxelColumn c, int axis, float per_along) {
  float near = 1.0 - abs(fma(c.slice, ray.slope, ray.place) - c.place);
  float step = ray.rows * per_along;
  bool counts = ray.axis == float(axis) && near > 0.0 && step > 0.0;
  return ColumnShare(counts ? near : 0.0, step);
}

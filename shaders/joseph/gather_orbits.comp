#version 450 core
// gather_columns.comp for groups of four views on quarter turns (engine/projectors/voxel_driven/orbit.hpp). An
// invocation makes eight voxels on top of each other at each of an orbit's four places. Channel c of a texel fetched
// for point j belongs to voxel (j + c) mod 4. Slices are along x for all rays of a group's first view.
#include "shared/tile.glsl"
#include "joseph/column_rays.glsl"
#include "joseph/column_rows.glsl"
#include "joseph/groups.glsl"

layout(binding = 0) uniform sampler2DArray weighed;
layout(binding = 0, r32f) uniform image2DArray volume;
uniform int n;  // voxels along a slice's edge
uniform int first_slice, first_layer;
uniform int group_count;
uniform float unit;      // value of a stored 1
uniform int accumulate;  // 1: accumulates

#define VOXELS 8

// Four voxels on top of each other; channel c is the orbit's voxel c.
struct Four {
  vec4 a, b, c, d;
};
Four low = Four(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
Four high = Four(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));

vec4 four_at(float u, float v, float layer) { return textureLod(weighed, vec3(u, v / float(rows), layer), 0.0); }
vec4 turned(vec4 t, int j) { return j == 0 ? t : j == 1 ? t.wxyz : j == 2 ? t.zwxy : t.yzwx; }

// One filtered fetch gives the parts of rows `first` and `first` + 1.
void add_pair(vec4 at, vec4 first, ColumnShare s, float u, float layer, int j, inout Four sum) {
  float per_row = 1.0 / s.step;
  vec4 lower = clamp(1.0 - per_row * abs(at - first), 0.0, 1.0);
  vec4 upper = clamp(1.0 - per_row * abs(first + 1.0 - at), 0.0, 1.0);
  vec4 both = lower + upper, v = float(rows / 2) + 0.5 + first + upper / max(both, 1e-20);
  both *= s.share;
  sum.a += both.x * turned(four_at(u, v.x, layer), j);
  sum.b += both.y * turned(four_at(u, v.y, layer), j);
  sum.c += both.z * turned(four_at(u, v.z, layer), j);
  sum.d += both.w * turned(four_at(u, v.w, layer), j);
}

// There are at most two rows per voxel. A voxel needs at most two rows of a column where rows are no closer than voxels,
// else at most four.
void add_rows(float row, ColumnShare s, float u, float layer, int j, inout Four sum) {
  vec4 at = fma(vec4(1.0, 2.0, 3.0, 4.0), vec4(s.step), vec4(row)), before = floor(at);
  if (s.step <= 1.0) {
    add_pair(at, before, s, u, layer, j, sum);
  } else {
    add_pair(at, before - 1.0, s, u, layer, j, sum);
    add_pair(at, before + 1.0, s, u, layer, j, sum);
  }
}

void gather_point(int layer, int view, ColumnRayView v, vec2 p, float lowest, int j) {
  VoxelColumn column = voxel_column(v, 0, p);
  float per = per_along(column.along);
  for (int c = column.first; c <= column.last; ++c) {
    ColumnShare s = column_share(column_ray(view, c), column, 0, per);
    if (s.share == 0.0) continue;
    float row = fma(lowest - 1.0 - height_of(v), s.step, row_of(v));
    if (!any_on_detector(row, s.step, VOXELS)) continue;
    float u = (float(c) + 0.5) / float(columns);
    add_rows(row, s, u, float(layer), j, low);
    add_rows(fma(4.0, s.step, row), s, u, float(layer), j, high);
  }
}

void store(ivec3 voxel, float sum) {
  if (voxel.z >= imageSize(volume).z) return;
  float before = accumulate != 0 ? imageLoad(volume, voxel).r : 0.0;
  imageStore(volume, voxel, vec4(fma(unit, sum, before)));
}
void store(ivec3 voxel, Four sum, int j) {
  store(voxel, sum.a[j]);
  store(voxel + ivec3(0, 0, 1), sum.b[j]);
  store(voxel + ivec3(0, 0, 2), sum.c[j]);
  store(voxel + ivec3(0, 0, 3), sum.d[j]);
}

void main() {
  ivec2 p = ivec2(gl_WorkGroupID.xy) * 8 + tile_pixel();
  int first = first_layer + int(gl_WorkGroupID.z) * VOXELS, odd = n & 1, side = (n + 1) / 2;
  // Odd sizes: columns with p.y = 0 < p.x are those with p.x = 0 < p.y after a turn.
  if (p.x >= side || p.y >= side || (odd == 1 && p.y == 0 && p.x > 0)) return;
  vec2 place = vec2(p) + (odd == 1 ? 0.0 : 0.5);
  float lowest = float(first_slice + first);
  for (int layer = 0; layer < group_count; ++layer) {
    int view = groups[layer].view.x;
    ColumnRayView v = column_views[view];
    gather_point(layer, view, v, place, lowest, 0);
    gather_point(layer, view, v, vec2(-place.y, place.x), lowest, 1);
    gather_point(layer, view, v, -place, lowest, 2);
    gather_point(layer, view, v, vec2(place.y, -place.x), lowest, 3);
  }
  ivec2 x = 2 * p + 1 - odd;  // twice the offset from the middle
  for (int j = 0; j < 4; ++j) {
    if (j > 0 && odd == 1 && p == ivec2(0)) break;  // the middle column is one voxel, not four
    ivec2 s = j == 0 ? x : j == 1 ? ivec2(-x.y, x.x) : j == 2 ? -x : ivec2(x.y, -x.x);
    ivec3 voxel = ivec3((s + n - 1) / 2, first);
    store(voxel, low, j);
    store(voxel + ivec3(0, 0, 4), high, j);
  }
}

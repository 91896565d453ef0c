// Line integrals along lines: RAYCAST through a 3-D texture (TEXTURE_3D) or slices along z, or SPLAT of voxels.
#include "shared/line.glsl"
#ifdef RAYCAST
#include "raycast/raycast.glsl"
#else
#include "blob/blob.glsl"
#endif
#include "shared/sample/hardware.glsl"  // or software

#include "shared/sample_box.glsl"
#ifdef TEXTURE_3D
layout(binding = 0) uniform sampler3D volume;
#else
layout(binding = 0) uniform sampler2DArray volume;
#endif
uniform float unit;         // what a stored 1 means
uniform vec3 brick_first;   // the voxels that the texture holds: a part of the grid, or all
uniform vec3 brick_size;

#ifdef RAYCAST

#ifndef TEXTURE_3D
// Layers outside are none, where a sampler would take the nearest.
float layer_value(vec2 at, float slice) {
  return slice >= 0.0 && slice < brick_size.z ? sample_view(volume, at, 1.0 / brick_size.xy, slice) : 0.0;
}
#endif

// At a voxel index of the grid.
float value_at(vec3 at) {
#ifdef TEXTURE_3D
  return sample_box(volume, brick_first, brick_size, at);
#else
  // Two slices, the third interpolation here.
  at -= brick_first;
  float slice = floor(at.z), t = at.z - slice;
#ifndef SAMPLE_EXACT
  at.xy = (at.xy + 0.5) / brick_size.xy;
#endif
  float lower = layer_value(at.xy, slice), upper = layer_value(at.xy, slice + 1.0);
  return mix(lower, upper, t);
#endif
}

float line_integral(int view, vec2 pixel) {
  Samples s = samples_of(line_of(view, pixel));
  if (s.count == 0.0) return 0.0;
  // Of the whole grid's samples those that voxels of this brick have a share in.
  vec3 point = s.point + 0.5 * grid_size - 0.5, in_brick = point - brick_first - 0.5 * brick_size + 0.5;
  float from = 0.0, to = s.count, sum = 0.0;
  for (int i = 0; i < 3; ++i) narrow(in_brick[i], s.step[i], 0.5 * brick_size[i] + 0.5, from, to);
  for (float k = ceil(from); k <= to; k += 1.0) sum += value_at(point + k * s.step);
  if (from <= 0.0) sum -= 0.5 * value_at(point);
  if (to >= s.count) sum -= 0.5 * value_at(point + s.count * s.step);
  return unit * s.mm * sum;
}

#else

// (slice, other axes in x, y, z order) of main axis m as x, y, z. Drivers are wrong with components chosen at run time.
ivec3 in_order(int m, int slice, int i, int j) {
  return m == 0 ? ivec3(slice, i, j) : m == 1 ? ivec3(i, slice, j) : ivec3(i, j, slice);
}
vec3 main_first(int m, vec3 p) { return m == 0 ? p.xyz : m == 1 ? p.yxz : p.zxy; }

float line_integral(int view, vec2 pixel) {
  Line l = line_of(view, pixel);
  int m = l.step.x == 1.0 ? 0 : l.step.y == 1.0 ? 1 : 2;
  vec3 middle_voxel = 0.5 * grid_size - 0.5;
  vec3 point = main_first(m, l.point + middle_voxel), step = main_first(m, l.step), size = main_first(m, grid_size);
  float middle_slice = 0.5 * size.x - 0.5;
  point.x = middle_slice;
  // How far in a slice voxels can lie from the ray and still touch it.
  vec2 reach = blob_radius * sqrt(1.0 + step.yz * step.yz);
  vec2 way = within_grid(l, 2.0) + middle_slice;
  int last_slice = min(int(size.x) - 1, int(floor(way.y)));
  float sum = 0.0;
  for (int slice = max(0, int(ceil(way.x))); slice <= last_slice; ++slice) {
    vec2 at = point.yz + (float(slice) - middle_slice) * step.yz;
    ivec2 first = max(ivec2(ceil(at - reach)), ivec2(0)), last = min(ivec2(floor(at + reach)), ivec2(size.yz) - 1);
    for (int j = first.y; j <= last.y; ++j)
      for (int i = first.x; i <= last.x; ++i) {
        ivec3 voxel = in_order(m, slice, i, j);
        sum += texelFetch(volume, voxel, 0).r * blob_length(l, vec3(voxel) - middle_voxel);
      }
  }
  return unit * sum;
}

#endif

// Line integrals along lines: RAYCAST through a 3-D texture (TEXTURE_3D) or slices along z, or SPLAT of voxels.
#include "project/line.glsl"
#ifdef RAYCAST
#include "project/raycast.glsl"
#else
#include "project/blob.glsl"
#endif
#include "shared/sample_view.glsl"

#ifdef TEXTURE_3D
layout(binding = 0) uniform sampler3D volume;
#else
layout(binding = 0) uniform sampler2DArray volume;
#endif
uniform float unit;  // what a stored 1 means

#ifdef RAYCAST

#ifndef TEXTURE_3D
// Layers outside are none, where a sampler would take the nearest.
float layer_value(vec2 at, float slice) {
  return slice >= 0.0 && slice < grid_size.z ? sample_view(volume, at, 1.0 / grid_size.xy, slice) : 0.0;
}
#endif

float value_at(vec3 p) {
#ifdef TEXTURE_3D
  return textureLod(volume, p / grid_size + 0.5, 0.0).r;
#else
  // Two slices, the third interpolation here.
  float z = p.z + 0.5 * grid_size.z - 0.5, slice = floor(z), t = z - slice;
#ifdef SAMPLE_EXACT
  vec2 at = p.xy + 0.5 * grid_size.xy - 0.5;
#else
  vec2 at = p.xy / grid_size.xy + 0.5;
#endif
  float lower = layer_value(at, slice), upper = layer_value(at, slice + 1.0);
  return mix(lower, upper, t);
#endif
}

float line_integral(int view, vec2 pixel) {
  Samples s = samples_of(line_of(view, pixel));
  if (s.count == 0.0) return 0.0;
  float sum = 0.5 * (value_at(s.point) + value_at(s.point + s.count * s.step));
  for (float k = 1.0; k < s.count; k += 1.0) sum += value_at(s.point + k * s.step);
  return unit * s.mm * sum;
}

#else

float line_integral(int view, vec2 pixel) {
  Line l = line_of(view, pixel);
  int m = l.step.x == 1.0 ? 0 : l.step.y == 1.0 ? 1 : 2, a = m == 0 ? 1 : 0, b = m == 2 ? 1 : 2;
  vec3 middle_voxel = 0.5 * grid_size - 0.5;
  // How far in a slice voxels can lie from the ray and still touch it.
  vec2 reach = blob_radius * sqrt(1.0 + vec2(l.step[a] * l.step[a], l.step[b] * l.step[b]));
  vec2 way = within_grid(l, 2.0) + middle_voxel[m];
  float sum = 0.0;
  ivec3 size = ivec3(grid_size), at;
  for (at[m] = max(0, int(ceil(way.x))); at[m] <= min(size[m] - 1, int(floor(way.y))); ++at[m]) {
    vec3 p = l.point + (float(at[m]) - middle_voxel[m]) * l.step + middle_voxel;
    ivec2 first = max(ivec2(ceil(vec2(p[a], p[b]) - reach)), ivec2(0));
    ivec2 last = min(ivec2(floor(vec2(p[a], p[b]) + reach)), ivec2(size[a], size[b]) - 1);
    for (at[b] = first.y; at[b] <= last.y; ++at[b])
      for (at[a] = first.x; at[a] <= last.x; ++at[a])
        sum += texelFetch(volume, at, 0).r * blob_length(l, vec3(at) - middle_voxel);
  }
  return unit * sum;
}

#endif

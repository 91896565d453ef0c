// The transpose of the projection, voxel by voxel: the few rays that pass within one voxel in its slice, each with the
// voxel's share in bilinear interpolation. No two voxels write the same value, so no atomics are needed.
#include "shared/rays.glsl"
#include "shared/near.glsl"

layout(binding = 0) uniform sampler2DArray weighed;  // from weigh.frag; layer i for the pass's i-th view
uniform int view_count;
uniform vec3 middle_voxel;  // of the grid, x y z

// The first and last column and row whose rays can come within one voxel: they lie inside the projection of the square
// around it. `center` is the voxel's a, b, w.
ivec4 pixels_near(ViewRows m, vec3 center) {
  int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  vec3 along_u = vec3(m.a[u], m.b[u], w_row(m)[u]), along_v = vec3(m.a[v], m.b[v], w_row(m)[v]);
  ivec2 last = textureSize(weighed, 0).xy - 1;
  // A square that reaches behind the source projects to no box: take all pixels.
  if (source_inside && center.z - abs(along_u.z) - abs(along_v.z) <= 1e-4) return ivec4(0, 0, last);
  vec2 p = pixel_at(m, center - along_u - along_v), q = pixel_at(m, center + along_u - along_v);
  vec2 r = pixel_at(m, center - along_u + along_v), t = pixel_at(m, center + along_u + along_v);
  vec2 low = min(min(p, q), min(r, t)), high = max(max(p, q), max(r, t));
  // A little more: on curved detectors the edges bulge.
  vec2 margin = 0.02 + 0.02 * (high - low);
  low = clamp(ceil(low - margin), vec2(0.0), vec2(last + 1));
  high = clamp(floor(high + margin), vec2(-1.0), vec2(last));
  return ivec4(low, high);
}

#include "joseph/share/bilinear.glsl"  // or boxes

// Adds to the sums of VOXELS voxels: `voxel` and the ones above it along z.
#ifndef VOXELS
#define VOXELS 1
#endif
void gather_column(RayRows r, ViewRows m, vec3 voxel, int layer, inout float sums[VOXELS]) {
  vec3 p = voxel - middle_voxel;
  p = axis == 0 ? p.yzx : axis == 1 ? p.xzy : p.xyz;
  // Distance from this voxel to the point where a ray meets its slice, times step_main.
  vec4 off_u = r.at_u + p.z * r.step_u - p.x * r.step_main;
  vec4 off_v = r.at_v + p.z * r.step_v - p.y * r.step_main;
  vec3 rows = rows_at(m, vec4(voxel, 1.0));
  for (int k = 0; k < VOXELS; ++k) {
    ivec4 box = pixels_near(m, rows);
    float sum = 0.0;
    for (int column = box.x; column <= box.z; ++column) {
      vec4 q = pixel_vector(r, vec2(column, box.y));
      vec3 ray = vec3(dot(off_u, q), dot(off_v, q), dot(r.step_main, q));
      vec3 next = vec3(off_u.y, off_v.y, r.step_main.y);
      for (int row = box.y; row <= box.w; ++row) {
        vec3 here = ray + float(row - box.y) * next;
        float inverse = 1.0 / here.z;
        float share = share_of(r, here, inverse, vec2(column, row), p.z);
        sum += share * texelFetch(weighed, ivec3(column, row, layer), 0).r;
      }
    }
    sums[k] += sum;
#if VOXELS > 1
    rows += vec3(m.a.z, m.b.z, w_row(m).z);
    if (axis == 2) {
      off_u += r.step_u;
      off_v += r.step_v;
      p.z += 1.0;
    } else {
      off_v -= r.step_main;
    }
#endif
  }
}

float gather_view(RayRows r, ViewRows m, vec3 voxel, int layer) {
  float sums[VOXELS];
  for (int k = 0; k < VOXELS; ++k) sums[k] = 0.0;
  gather_column(r, m, voxel, layer, sums);
  return sums[0];
}

void gather(vec3 voxel, inout float sums[VOXELS]) {
  for (int i = 0; i < view_count; ++i) {
    int view = first_view + i * view_stride;
    if (rays[first_ray + view].more.x != 0.0) gather_column(rays[first_ray + view], views[view], voxel, i, sums);
  }
}

#version 450 core
// One voxel, or one of each of four slices: for each view of the pass divide, weigh by depth, sample the projection, add
// up.
//   TRANSFORM_VERTEX  a, b, w were interpolated; otherwise this shader applies the matrix itself ("MP-GPU")
//   PING_PONG         adds what earlier passes left in `previous`
//   TARGET_IMAGE      stores into an image of FORMAT, adding what it held; otherwise the blend unit adds
//   TARGET_SLICE      the framebuffer is one layer; otherwise gl_Layer tells which
//   PACK_SLICES       the target's texels hold four slices
//   RELAX             SART's correction of `previous` in place of a sum
#include "voxel_driven/contribution.glsl"
#ifdef RELAX
#include "voxel_driven/mean_of_views.glsl"
#endif

#ifdef PACK_SLICES
#define SUM vec4
#define SLICES_A_LAYER 4
#define CONTRIBUTION contributions
#else
#define SUM float
#define SLICES_A_LAYER 1
#define CONTRIBUTION contribution
#endif

layout(binding = 1) uniform sampler2DArray previous;

uniform int projection;        // layer of this pass's first view
uniform int projection_stride;
uniform int first_slice;
uniform vec2 first_voxel;
uniform int first_layer;
uniform int view_count;        // read where VIEWS is this and no number
uniform int accumulate;
uniform float unit;            // what a stored 1 means

#ifdef TRANSFORM_VERTEX
in Detector { noperspective POSITION position[POSITIONS]; } detector;
#endif
#ifdef TARGET_IMAGE
layout(early_fragment_tests) in;
layout(binding = 0, FORMAT) uniform image2DArray volume;
#else
out SUM value;
#endif

#ifdef TRANSFORM_VERTEX
POSITION position(int i, int view) { return detector.position[i]; }
#else
vec3 voxel;

POSITION position(int i, int view) { return place_of(views[view], voxel); }
#endif

#ifdef RELAX
SUM sum_views(out float seen) {
  SUM sum = SUM(0.0);
  seen = 0.0;
  for (int i = 0; i < VIEWS; ++i) {
    int view = first_view + i * view_stride;
    add_view(position(i, view), view, float(projection + i * projection_stride), sum, seen);
  }
  return unit * sum;
}
#else
SUM sum_views() {
  SUM sum = SUM(0.0);
  for (int i = 0; i < VIEWS; ++i) {
    int view = first_view + i * view_stride;
    sum += CONTRIBUTION(position(i, view), view, float(projection + i * projection_stride));
  }
  return unit * sum;
}
#endif

void main() {
#ifdef TARGET_SLICE
  int layer = first_layer;
#else
  int layer = gl_Layer;
#endif
  ivec3 texel = ivec3(gl_FragCoord.xy, layer);
#ifndef TRANSFORM_VERTEX
  voxel = vec3(gl_FragCoord.xy - 0.5 + first_voxel, float(first_slice + SLICES_A_LAYER * layer));
#endif
#ifdef RELAX
  float seen, sum = sum_views(seen);
  value = relaxed(texelFetch(previous, texel, 0).r, sum, seen, VIEWS);
#else
  SUM sum = sum_views();
#ifdef BORDER_IN_SOFTWARE
  if (border_met) {
    samples_border = true;
    sum = sum_views();
  }
#endif
#ifdef TARGET_IMAGE
  if (accumulate != 0) {
#ifdef PACK_SLICES
    sum += imageLoad(volume, texel);
#else
    sum += imageLoad(volume, texel).r;
#endif
  }
  imageStore(volume, texel, vec4(sum));
#else
#ifdef PING_PONG
#ifdef PACK_SLICES
  if (accumulate != 0) sum += texelFetch(previous, texel, 0);
#else
  if (accumulate != 0) sum += texelFetch(previous, texel, 0).r;
#endif
#endif
  value = sum;
#endif
#endif
}

#version 450 core
// One voxel, or one of each of four slices: for each view of the pass divide, weigh by depth, sample the projection, add
// up.
//   TRANSFORM_VERTEX  a, b, w were interpolated; otherwise this shader applies the matrix itself ("MP-GPU")
//   PING_PONG         adds what earlier passes left in `previous`
//   TARGET_IMAGE      stores into an image of FORMAT, adding what it held; otherwise the blend unit adds
//   TARGET_SLICE      the framebuffer is one layer; otherwise gl_Layer tells which
//   PACK_SLICES       the target's texels hold four slices
//   RELAX             SART's correction of `previous` in place of a sum
#include "backproject/contribution.glsl"
#ifdef RELAX
#include "backproject/mean_of_views.glsl"
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

void main() {
#ifdef TARGET_SLICE
  int layer = first_layer;
#else
  int layer = gl_Layer;
#endif
  SUM sum = SUM(0.0);
#ifdef RELAX
  float seen = 0.0;
#endif
#ifndef TRANSFORM_VERTEX
  vec4 voxel = vec4(gl_FragCoord.xy - 0.5 + first_voxel, float(first_slice + SLICES_A_LAYER * layer), 1.0);
#endif
  for (int i = 0; i < VIEWS; ++i) {
    int view = first_view + i * view_stride;
#ifdef TRANSFORM_VERTEX
    POSITION p = detector.position[i];
#else
    POSITION p = carry(views[view], voxel);
#endif
    float image = float(projection + i * projection_stride);
#ifdef RELAX
    add_view(p, view, image, sum, seen);
#else
    sum += CONTRIBUTION(p, view, image);
#endif
  }
  sum *= unit;
  ivec3 texel = ivec3(gl_FragCoord.xy, layer);
#if defined(RELAX)
  value = relaxed(texelFetch(previous, texel, 0).r, sum, seen, VIEWS);
#elif defined(TARGET_IMAGE)
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
}

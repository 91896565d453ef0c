#version 450 core
// One voxel: for each view of the pass divide, weigh by depth, sample the projection, add up.
//   TRANSFORM_VERTEX  a, b, w were interpolated; otherwise this shader applies the matrix itself ("MP-GPU")
//   PING_PONG         adds what earlier passes left in `previous`; otherwise the blend unit adds
//   PARALLEL, CURVED  the beam and the detector; flat cone otherwise
//   WEIGHT_FDK        times (R / depth)^2
//   SOURCE_INSIDE     some source lies beside or within the grid: points behind it get nothing
#include "shared/views.glsl"
#include "shared/fan_angle.glsl"
#include "shared/sample_view.glsl"

layout(binding = 0) uniform sampler2DArray projections;
layout(binding = 1) uniform sampler2DArray previous;

uniform vec2 pixel_scale;      // 1 / columns, 1 / rows of the detector
uniform int projection;        // layer of this pass's first view
uniform int projection_stride;
uniform int first_slice;
uniform int view_count;        // read where VIEWS is this and no number
uniform int accumulate;

#ifdef TRANSFORM_VERTEX
in Detector { noperspective POSITION position[VIEWS]; } detector;
#endif
out float value;

float contribution(POSITION p, int view, float layer) {
#if defined(PARALLEL)
  return sample_view(projections, p, pixel_scale, layer);
#else
#ifdef SOURCE_INSIDE
  if (p.z <= 0.0) return 0.0;
#endif
#ifdef CURVED
  float square = p.x * p.x + p.z * p.z;
  float distance = sqrt(square);
  vec4 curve = views[view].curve;
  vec2 position = curve.xy + curve.zw * vec2(fan_angle(p.x, p.z, distance), p.y / distance);
  float weight = 1.0 / square;
#else
  float inverse = 1.0 / p.z;
  vec2 position = p.xy * inverse;
  float weight = inverse * inverse;
#endif
  float q = sample_view(projections, position, pixel_scale, layer);
#ifdef WEIGHT_FDK
  q *= weight;
#endif
  return q;
#endif
}

void main() {
  float sum = 0.0;
#ifndef TRANSFORM_VERTEX
  vec4 voxel = vec4(gl_FragCoord.xy - 0.5, float(first_slice + gl_Layer), 1.0);
#endif
  for (int i = 0; i < VIEWS; ++i) {
    int view = first_view + i * view_stride;
#ifdef TRANSFORM_VERTEX
    POSITION p = detector.position[i];
#else
    POSITION p = carry(views[view], voxel);
#endif
    sum += contribution(p, view, float(projection + i * projection_stride));
  }
#ifdef PING_PONG
  if (accumulate != 0) sum += texelFetch(previous, ivec3(gl_FragCoord.xy, gl_Layer), 0).r;
#endif
  value = sum;
}

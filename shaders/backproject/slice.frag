#version 450 core
// One voxel: for each view of the pass divide, weigh by depth, sample the projection, add up.
//   TRANSFORM_VERTEX  a, b, w were interpolated; otherwise this shader applies the matrix itself ("MP-GPU")
//   PING_PONG         adds what earlier passes left in `previous`; otherwise the blend unit adds
#include "backproject/contribution.glsl"

layout(binding = 1) uniform sampler2DArray previous;

uniform int projection;        // layer of this pass's first view
uniform int projection_stride;
uniform int first_slice;
uniform int view_count;        // read where VIEWS is this and no number
uniform int accumulate;

#ifdef TRANSFORM_VERTEX
in Detector { noperspective POSITION position[VIEWS]; } detector;
#endif
out float value;

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

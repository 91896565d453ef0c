#version 450 core
// One orbit: four fetches a group make sixteen updates; the blend unit adds passes up. Channel j of the target is the
// orbit's voxel j.
//   TRANSFORM_VERTEX  a and b were interpolated; otherwise this shader turns the place itself
//   GROUPS            of the pass: a number, or group_count to loop over
#include "voxel_driven/orbit.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform int first_group;
uniform vec2 z;  // mm from the source's plane: z.x slice + z.y

#ifdef TRANSFORM_VERTEX
in Orbit { noperspective vec2 place[GROUPS]; } orbit;
#else
uniform int group_count;
uniform float middle;   // 0.5 where the axis lies between voxels, 0 where it lies on one
uniform float spacing;  // mm
#endif
out vec4 value;

void main() {
  float height = z.x * float(first_slice + gl_Layer) + z.y;
#ifndef TRANSFORM_VERTEX
  vec2 corner = spacing * (gl_FragCoord.xy - 0.5 + middle);
#endif
  vec4 sum = vec4(0.0);
  for (int i = 0; i < GROUPS; ++i) {
#ifdef TRANSFORM_VERTEX
    vec2 ab = orbit.place[i];
#else
    vec2 ab = in_view(corner, first_group + i);
#endif
    for (int j = 0; j < 4; ++j) {
      vec2 at = orbit_voxel(ab.x, ab.y, j);
      float r = reciprocal_depth(at.x);
      vec2 place = detector.xz + detector.yw * (r * vec2(at.y, height));
      vec4 t = textureLod(projections, vec3(place, float(first_group + i)), 0.0);
      sum += weight_at(r) * turned(t, j);
    }
  }
  value = sum;
}

#version 450 core
// Marks what later passes are to work on: discards voxels outside the field of view, and those that no view sees.
//   KILL_DEPTH     the mark is the depth, otherwise the stencil
#include "voxel_driven/contribution.glsl"

uniform int first_slice;
uniform vec2 first_voxel;
uniform int first_layer;
uniform int view_count;
uniform vec2 spacing;        // mm
uniform vec2 middle;         // mm, of voxel 0 0 of the plan's grid
uniform float radius;        // mm, of the field of view about the axis
uniform vec2 lowest, highest;  // places on the detector, in the table's unit, between which a view gives something

#ifdef PACK_SLICES
#define SLICES_A_LAYER 4
#else
#define SLICES_A_LAYER 1
#endif

bool seen(vec3 voxel) {
  for (int view = 0; view < view_count; ++view) {
    POSITION p = place_of(views[view], voxel);
    if (behind_source(p)) continue;
    float weight;
    vec2 place = detector_position(p, view, weight);
    if (all(greaterThan(place, lowest)) && all(lessThan(place, highest))) return true;
  }
  return false;
}

void main() {
#ifdef TARGET_SLICE
  int layer = first_layer;
#else
  int layer = gl_Layer;
#endif
  vec2 voxel = gl_FragCoord.xy - 0.5 + first_voxel;
  vec2 place = middle + spacing * voxel;
  if (dot(place, place) > radius * radius) discard;
  bool any = false;
  for (int k = 0; k < SLICES_A_LAYER && !any; ++k)
    any = seen(vec3(voxel, float(first_slice + SLICES_A_LAYER * layer + k)));
  if (!any) discard;
#ifdef KILL_DEPTH
  gl_FragDepth = 1.0;
#endif
}

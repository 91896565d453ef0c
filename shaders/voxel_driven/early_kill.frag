#version 450 core
// AG-GPU+ (Xu & Mueller 2007), early fragment kill: draws the fragments for later passes once, into stencil or depth.
// Voxels outside the field of view, and voxels that no view sees, are discarded here and stay unmarked.
#include "voxel_driven/views.glsl"
#include "voxel_driven/texel.glsl"
#include "shared/source/outside.glsl"  // or inside

uniform vec2 spacing;          // mm
uniform vec2 middle;           // mm, of voxel 0 0 of the plan's grid
uniform float radius;          // mm, of the field of view around the axis
uniform vec2 lowest, highest;  // positions on the detector, in the table's unit, between which a view contributes

bool seen(vec3 voxel) {
  for (int view = 0; view < view_count; ++view) {
    POSITION p = place_of(views[view], voxel);
    if (source_inside && depth_of(p) <= 0.0) continue;
    float weight;
    vec2 place = divided(p, view, weight);
    if (all(greaterThan(place, lowest)) && all(lessThan(place, highest))) return true;
  }
  return false;
}

void main() {
  vec3 voxel = voxel_drawn();
  vec2 place = middle + spacing * voxel.xy;
  if (dot(place, place) > radius * radius) discard;
  bool any = false;
  for (int k = 0; k < slices_per_layer && !any; ++k) any = seen(voxel + vec3(0.0, 0.0, float(k)));
  if (!any) discard;
}

#version 450 core
// A fragment is the four rays that share texels, in one slice. The blend unit, or a ping-pong, adds the slices.
#include "joseph/rows.glsl"

in Place {
  flat int view;
  flat int layer;
  flat int slice;
  vec2 voxel;
} place;
out VALUE value;
#include "shared/accumulate/blend.glsl"  // or ping_pong

void main() {
  RayRows r = rays[first_ray + place.view];
  Four four = four_rays(r, floor(gl_FragCoord.xy));
  float s = float(place.slice) - middle_slice;
  bool met = s >= four.from && s <= four.to;
  vec4 sum = met ? slice_value(r, four, s, float(place.slice - first_slice)) * four.weight * unit : vec4(0.0);
  value = added(sum, place.layer);
}

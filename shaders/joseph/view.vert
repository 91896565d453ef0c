#version 450 core
// Each instance is a view: a quad over all its pixels, in its layer of the target.
#include "shared/layer/from_vertex.glsl"  // or from_geometry
#include "shared/rays.glsl"
#include "joseph/drawn/views.glsl"  // or groups

uniform int first_layer;  // of the target, drawn by the first instance
uniform int layer_stride;
uniform bool skips_views;  // views without a ray through this stack: their quad goes where nothing is drawn

out Place {
  flat int view;
  flat int layer;
} place;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  place.view = view_drawn(gl_InstanceID);
  place.layer = first_layer + gl_InstanceID * layer_stride;
  choose_layer(place.layer);
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
  if (skips_views && rays[first_ray + place.view].more.x == 0.0) gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
}

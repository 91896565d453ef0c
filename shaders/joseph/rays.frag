#version 450 core
// A fragment a ray (ROWS: four): the sum over the slices of one texture. The blend unit, or a ping-pong, adds what other
// textures and axes give.
#include "shared/rays.glsl"
#include "shared/narrow.glsl"
#ifdef ROWS
#include "joseph/rows.glsl"
#else
#include "joseph/stack.glsl"
#endif

in Place {
  flat int view;
  flat int layer;
} place;
out VALUE value;
#include "shared/ping_pong.glsl"

void main() { value = ADDED(line_integral(rays[first_ray + place.view], floor(gl_FragCoord.xy))); }

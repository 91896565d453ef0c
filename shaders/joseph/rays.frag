#version 450 core
// A fragment a ray, or one for the four rays that share texels: the sum over the slices of one texture. The blend unit,
// or a ping-pong, adds what other textures and axes give.
#include "joseph/sum/slices.glsl"  // or rows

in Place {
  flat int view;
  flat int layer;
} place;
out VALUE value;
#include "shared/accumulate/blend.glsl"  // or ping_pong

void main() {
  value = added(line_integral(rays[first_ray + place.view], floor(gl_FragCoord.xy)), place.layer);
}

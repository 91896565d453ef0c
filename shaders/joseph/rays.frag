#version 450 core
// A fragment sums a ray, or the four rays that share texels, over the slices of one texture. The blend unit, or a
// ping-pong, adds the sums of other textures and axes.
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

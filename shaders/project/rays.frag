#version 450 core
// A fragment a ray: the sum over the slices of one texture. The blend unit adds what other textures and axes give.
#include "project/stack.glsl"

in Place {
  flat int view;
  flat int layer;
} place;
out VALUE value;

void main() { value = line_integral(rays[first_ray + place.view], gl_FragCoord.xy - 0.5); }

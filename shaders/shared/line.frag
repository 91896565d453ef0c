#version 450 core
// A fragment is a ray; the blend unit accumulates.
#include "shared/line_integral.glsl"

in Place {
  flat int view;
  flat int layer;
} place;
out float value;

void main() { value = line_integral(place.view, gl_FragCoord.xy - 0.5); }

#version 450 core
#include "shared/weigh.glsl"

in Place {
  flat int view;
  flat int layer;
} place;
out float value;

void main() { value = weighed(ivec2(gl_FragCoord.xy), place.layer); }

#version 450 core
#include "study/probe.glsl"
out float value;
void main() { value = probe(gl_FragCoord.xy - 0.5); }

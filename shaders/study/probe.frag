#version 450 core
#include "study/probe.glsl"
out RESULT value;
void main() {
#ifdef LAYERS
  value = probe(gl_FragCoord.xy - 0.5, gl_Layer);
#else
  value = probe(gl_FragCoord.xy - 0.5, 0);
#endif
}

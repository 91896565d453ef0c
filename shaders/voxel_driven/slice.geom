#version 450 core
// Chooses the layer where the vertex shader cannot.
#include "shared/views.glsl"

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

flat in int layer[];
#ifdef TRANSFORM_VERTEX
in Detector { noperspective POSITION position[POSITIONS]; } corner[];
out Detector { noperspective POSITION position[POSITIONS]; } detector;
#endif

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = layer[i];
#ifdef TRANSFORM_VERTEX
    detector.position = corner[i].position;
#endif
    EmitVertex();
  }
  EndPrimitive();
}

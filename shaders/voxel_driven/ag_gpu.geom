#version 450 core
// AG-GPU where the vertex shader cannot choose the layer: passes everything on.
#include "shared/views.glsl"

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

const int positions = VIEWS > 1 ? VIEWS : 2;
flat in int layer_of_polygon[];
in Detector { noperspective POSITION position[positions]; } corner[];
out Detector { noperspective POSITION position[positions]; } detector;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = layer_of_polygon[i];
    detector.position = corner[i].position;
    EmitVertex();
  }
  EndPrimitive();
}

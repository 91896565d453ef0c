#version 450 core
// Chooses the layer where the vertex shader cannot.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

flat in int layer[];
in Orbit { noperspective vec2 place[GROUPS]; } corner[];
out Orbit { noperspective vec2 place[GROUPS]; } orbit;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = layer[i];
    orbit.place = corner[i].place;
    EmitVertex();
  }
  EndPrimitive();
}

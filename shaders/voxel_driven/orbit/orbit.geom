#version 450 core
// AG-GPU for orbits where the vertex shader cannot choose the layer: passes everything on.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

flat in int layer_of_polygon[];
in Orbit { noperspective vec2 place[GROUPS]; } corner[];
out Orbit { noperspective vec2 place[GROUPS]; } orbit;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = layer_of_polygon[i];
    orbit.place = corner[i].place;
    EmitVertex();
  }
  EndPrimitive();
}

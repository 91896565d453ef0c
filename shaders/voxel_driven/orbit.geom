#version 450 core
// Chooses the layer where the vertex shader cannot.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

flat in int layer[];
#ifdef TRANSFORM_VERTEX
in Orbit { noperspective vec2 place[GROUPS]; } corner[];
out Orbit { noperspective vec2 place[GROUPS]; } orbit;
#endif

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = layer[i];
#ifdef TRANSFORM_VERTEX
    orbit.place = corner[i].place;
#endif
    EmitVertex();
  }
  EndPrimitive();
}

#version 450 core
// Chooses the layer where the vertex shader cannot.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

flat in int layer_of_polygon[];
in Place {
  flat int layer;
  flat vec3 voxel;
  flat float value;
} corner[];
out Place {
  flat int layer;
  flat vec3 voxel;
  flat float value;
} place;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = layer_of_polygon[i];
    place.layer = corner[i].layer;
    place.voxel = corner[i].voxel;
    place.value = corner[i].value;
    EmitVertex();
  }
  EndPrimitive();
}

#version 450 core
// Chooses the layer where the vertex shader cannot.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

flat in int layer_of_polygon[];
in Place {
  flat int view;
  flat int layer;
  flat int slice;
  vec2 voxel;
} corner[];
out Place {
  flat int view;
  flat int layer;
  flat int slice;
  vec2 voxel;
} place;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = layer_of_polygon[i];
    place.view = corner[i].view;
    place.layer = corner[i].layer;
    place.slice = corner[i].slice;
    place.voxel = corner[i].voxel;
    EmitVertex();
  }
  EndPrimitive();
}

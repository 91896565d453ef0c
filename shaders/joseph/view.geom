#version 450 core
// Chooses the layer where the vertex shader cannot.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

in Place {
  flat int view;
  flat int layer;
#ifdef DRAW_SLICES
  flat int slice;
  vec2 voxel;
#endif
} corner[];
out Place {
  flat int view;
  flat int layer;
#ifdef DRAW_SLICES
  flat int slice;
  vec2 voxel;
#endif
} place;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = corner[i].layer;
    place.view = corner[i].view;
    place.layer = corner[i].layer;
#ifdef DRAW_SLICES
    place.slice = corner[i].slice;
    place.voxel = corner[i].voxel;
#endif
    EmitVertex();
  }
  EndPrimitive();
}

#version 450 core
// A triangle over all columns, once for every SLICES slices.
flat out int first_of_column;

void main() {
  first_of_column = gl_InstanceID * SLICES;
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}

// A measured value times everything that FDK multiplies it by before the ramp, at a column of the filtered row; zero in
// the columns that a displaced detector lacks and in the padding.
//   CURVED     columns are equal angles
//   CONTINUED  rows go on beyond their ends
layout(binding = 0) uniform sampler2DArray views;
struct ViewWeight {  // FilterTables::ViewWeight: see preprocess/position_weight.hpp
  float n0, n1, n2, n_row;
  float d0, d1, d2, d_row0, d_row1, d_row2, d_square;
  float lean, lean_row;
  float gap;  // radians
  int first;  // in redundancy[], of this view's columns
};
layout(std430, binding = 1) readonly buffer ViewWeights { ViewWeight view_weight[]; };
layout(std430, binding = 2) readonly buffer Redundancy { float redundancy[]; };
#ifdef CONTINUED
layout(std430, binding = 5) readonly buffer Taper { float taper[]; };
#endif

uniform int left;           // columns before the first that was measured
uniform int measured;       // columns that were
uniform int rows;
uniform int columns;        // of the filtered row
uniform int extension;      // columns that it is continued by, beyond either end
uniform float middle, step; // curved: the column at angle 0, radians a column

float weighed(int column, int row, int view, int layer) {
  int c = column - left;
  if (c < 0 || c >= measured || row >= rows) return 0.0;
#ifdef CURVED
  float angle = (float(column) - middle) * step, half_sine = sin(0.5 * angle);
  vec3 basis = vec3(1.0, sin(angle), 2.0 * half_sine * half_sine);
#else
  float x = float(column);
  vec3 basis = vec3(1.0, x, x * x);
#endif
  ViewWeight w = view_weight[view];
  float r = float(row);
  vec3 numerator = vec3(w.n0 + w.n_row * r, w.n1, w.n2);
  vec3 denominator = vec3(w.d0 + r * (w.d_row0 + r * w.d_square), w.d1 + r * w.d_row1, w.d2 + r * w.d_row2);
  float geometric = dot(numerator, basis) * inversesqrt(dot(denominator, basis)) / (w.lean + w.lean_row * r);
  return texelFetch(views, ivec3(c, row, layer), 0).r * geometric * w.gap * redundancy[w.first + c];
}

// Mirrored in the end point and tapered, as engine/preprocess/row_convolution.hpp says; zero farther out.
float continued(int column, int row, int view, int layer) {
#ifdef CONTINUED
  int beyond = max(-column, column - columns + 1);
  if (beyond > extension) return 0.0;
  if (beyond > 0) {
    ivec2 mirror = column < 0 ? ivec2(0, beyond) : columns - 1 - ivec2(0, beyond);
    float end = weighed(mirror.x, row, view, layer);
    float p = 2.0 * end - weighed(mirror.y, row, view, layer);
    return end == 0.0 ? 0.0 : taper[beyond - 1] * (end > 0.0 ? max(p, 0.0) : min(p, 0.0));
  }
#endif
  return weighed(column, row, view, layer);
}

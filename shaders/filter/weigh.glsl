// A measured value times everything that FDK multiplies it by before the ramp, at a column of the filtered row; zero in
// the columns that a displaced detector lacks and in the padding.
//   CURVED  columns are equal angles
layout(binding = 0) uniform sampler2DArray views;
struct RowWeight {
  vec4 numerator, denominator;  // on (1, s, t, 0); see PositionWeight in preprocess/row_weight.hpp
};
layout(std430, binding = 0) readonly buffer RowWeights { RowWeight row_weight[]; };  // a row of a view
struct ViewWeight {
  float gap;  // radians
  int first;  // in redundancy[], of this view's columns
};
layout(std430, binding = 1) readonly buffer ViewWeights { ViewWeight view_weight[]; };
layout(std430, binding = 2) readonly buffer Redundancy { float redundancy[]; };

uniform int left;           // columns before the first that was measured
uniform int measured;       // columns that were
uniform int rows;
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
  RowWeight w = row_weight[view * rows + row];
  ViewWeight v = view_weight[view];
  float geometric = dot(w.numerator.xyz, basis) * inversesqrt(dot(w.denominator.xyz, basis));
  return texelFetch(views, ivec3(c, row, layer), 0).r * geometric * v.gap * redundancy[v.first + c];
}

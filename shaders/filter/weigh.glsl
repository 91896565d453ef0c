// A measured value times all weights of FDK before the ramp, at a column of the filtered row. Zero in the columns that
// a displaced detector lacks and in the padding.
layout(binding = 0) uniform sampler2DArray views;
struct ViewWeight {  // FilterTables::ViewWeight: see preprocess/filter/position_weight.hpp
  float n0, n1, n2, n_row;
  float d0, d1, d2, d_row0, d_row1, d_row2, d_square;
  float lean, lean_row;
  float gap;  // radians
  int first;  // in redundancy[]: of this view's columns
};
layout(std430, binding = 1) readonly buffer ViewWeights { ViewWeight view_weight[]; };
layout(std430, binding = 2) readonly buffer Redundancy { float redundancy[]; };

uniform int left;           // columns before the first measured one
uniform int measured;       // measured columns
uniform int rows;
uniform int columns;        // of the filtered row
uniform int extension;      // columns of continuation beyond either end

#include "filter/detector/flat.glsl"  // or curved

float weighed(int column, int row, int view, int layer) {
  int c = column - left;
  if (c < 0 || c >= measured || row >= rows) return 0.0;
  vec3 basis = column_basis(column);
  ViewWeight w = view_weight[view];
  float r = float(row);
  vec3 numerator = vec3(w.n0 + w.n_row * r, w.n1, w.n2);
  vec3 denominator = vec3(w.d0 + r * (w.d_row0 + r * w.d_square), w.d1 + r * w.d_row1, w.d2 + r * w.d_row2);
  float geometric = dot(numerator, basis) * inversesqrt(dot(denominator, basis)) / (w.lean + w.lean_row * r);
  return texelFetch(views, ivec3(c, row, layer), 0).r * geometric * w.gap * redundancy[w.first + c];
}

#include "filter/beyond/zero.glsl"  // or mirrored

// Columns at equal distances: a weight is a quotient of quadratics in the column.
vec3 column_basis(int column) {
  float x = float(column);
  return vec3(1.0, x, x * x);
}

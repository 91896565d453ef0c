// Columns at equal angles.
uniform float middle, step;  // the column at angle 0, radians a column

vec3 column_basis(int column) {
  float angle = (float(column) - middle) * step, half_sine = sin(0.5 * angle);
  return vec3(1.0, sin(angle), 2.0 * half_sine * half_sine);
}

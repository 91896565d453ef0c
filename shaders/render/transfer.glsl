// The transfer function as a table: red, green, blue, extinction in 1/mm.
layout(binding = 2) uniform sampler2D transfer_table;  // one row

// Value -> texture coordinate: value * x + y. The ends of the range are the table's first and last entries.
uniform vec2 transfer_scale;

vec4 classify(float value) {
  return textureLod(transfer_table, vec2(value * transfer_scale.x + transfer_scale.y, 0.5), 0.0);
}

// The share of light that `length` mm of this extinction absorbs.
float stopped(float extinction, float length) { return 1.0 - exp(-extinction * length); }

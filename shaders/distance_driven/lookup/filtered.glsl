// Summed areas between edges by hardware's filter, whose weights are multiples of 1/256. Edges are looked up at such
// multiples, and the result is scaled to the footprint's part within the table.
const bool rounds = true;

float corner(float i, float k, float image) {
  return textureLod(table, vec3((vec2(i, k) + 0.5) / (table_size + vec2(0.0, 2.0)), image), 0.0).r;
}

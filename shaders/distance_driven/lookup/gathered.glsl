// Summed areas between edges by four texels a lookup, with weights of 32 bits.
const bool rounds = false;

float corner(float i, float k, float image) {
  vec2 at = vec2(i, k), low = min(floor(at), table_size - 2.0), part = at - low;
  // The neighbours (0, 1), (1, 1), (1, 0) and (0, 0).
  vec4 t = textureGather(table, vec3((low + 1.0) / (table_size + vec2(0.0, 2.0)), image));
  vec2 along = mix(t.wx, t.zy, part.x);
  return mix(along.x, along.y, part.y);
}

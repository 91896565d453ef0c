// Bilinear interpolation of one layer in fp32, zero outside: the value fades to zero over the pixel beyond the border.
// `position` is in pixels (centres at integers), `scale` = 1 / size; samplers clamp to a border of zero.
float bilinear(sampler2DArray views, vec2 position, vec2 scale, float layer) {
  vec2 corner = floor(position);
  vec2 t = position - corner;
  // Gathers where four pixels meet, so that rounding cannot choose others.
  vec4 q = textureGather(views, vec3((corner + 1.0) * scale, layer));
  vec2 column = mix(q.wx, q.zy, t.x);
  return mix(column.x, column.y, t.y);
}

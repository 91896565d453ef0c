// Bilinear interpolation of one layer, zero outside: the value fades to nothing over the pixel beyond the border.
// Samplers clamp to a border of zero.

/// In fp32, at a position in pixels (centres at integers); `scale` = 1 / size.
float sample_in_software(sampler2DArray views, vec2 position, vec2 scale, float layer) {
  vec2 corner = floor(position);
  vec2 t = position - corner;
  // Asked for where four pixels meet, so that rounding cannot choose others.
  vec4 q = textureGather(views, vec3((corner + 1.0) * scale, layer));
  vec2 column = mix(q.wx, q.zy, t.x);
  return mix(column.x, column.y, t.y);
}

/// SAMPLE_EXACT as above; otherwise the hardware's filter does it, at a position in [0, 1] that needs no more arithmetic.
float sample_view(sampler2DArray views, vec2 position, vec2 scale, float layer) {
#ifdef SAMPLE_EXACT
  return sample_in_software(views, position, scale, layer);
#else
  return textureLod(views, vec3(position, layer), 0.0).r;
#endif
}

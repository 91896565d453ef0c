// Bilinear interpolation of one layer, zero outside: the value fades to nothing over the pixel beyond the border.
// Samplers clamp to a border of zero. SAMPLE_EXACT interpolates in fp32; otherwise the hardware's filter does it.
// `pixel` counts columns and rows, pixel centres at integers; `scale` is 1 / size.
float sample_view(sampler2DArray views, vec2 pixel, vec2 scale, float layer) {
#ifdef SAMPLE_EXACT
  vec2 corner = floor(pixel);
  vec2 t = pixel - corner;
  // Asked for where four pixels meet, so that rounding cannot choose others.
  vec4 q = textureGather(views, vec3((corner + 1.0) * scale, layer));
  vec2 column = mix(q.wx, q.zy, t.x);
  return mix(column.x, column.y, t.y);
#else
  return textureLod(views, vec3((pixel + 0.5) * scale, layer), 0.0).r;
#endif
}

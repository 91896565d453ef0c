// Contribution of a view of a parallel beam to gradient (per mm) and value.
vec4 slope_of_view(ViewRows m, POSITION p, float layer) {
  vec3 q = textureLod(slopes, vec3(p, layer), 0.0).rgb;
  q.yz *= detector_size;
  return vec4(q.y * m.a.xyz + q.z * m.b.xyz, q.x);
}

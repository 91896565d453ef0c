// Contribution of a view of a curved detector to gradient (per mm) and value: see cone.glsl.
vec4 slope_of_view(ViewRows m, POSITION p, float layer) {
  float square = p.x * p.x + p.z * p.z, inverse = inversesqrt(square), rise = p.y * inverse;
  vec2 at = m.curve.xy + m.curve.zw * vec2(fan_angle(p.x, p.z, square * inverse), rise);
  vec3 q = textureLod(slopes, vec3(at, layer), 0.0).rgb * (inverse * inverse);
  q.yz *= detector_size * m.curve.zw;
  vec3 away = (p.x * m.a.xyz + p.z * m.w.xyz) * inverse;
  vec3 turn = q.y * inverse * (p.z * m.a.xyz - p.x * m.w.xyz);
  return vec4((turn + q.z * (m.b.xyz - rise * away) - 2.0 * q.x * away) * inverse, q.x);
}

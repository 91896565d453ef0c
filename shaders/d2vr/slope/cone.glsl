// Contribution of a view of a flat detector to gradient (per mm) and value. In the names of view_gradient.hpp, with
// depth d: grad q / d^2 = (q_u grad u + q_v grad v - 2 q / d grad d) / d^2.
vec4 slope_of_view(ViewRows m, POSITION p, float layer) {
  float inverse = 1.0 / p.z;
  vec2 at = p.xy * inverse;
  vec3 q = textureLod(slopes, vec3(at, layer), 0.0).rgb * (inverse * inverse);
  q.yz *= detector_size;
  return vec4((q.y * m.a.xyz + q.z * m.b.xyz - (dot(at, q.yz) + 2.0 * q.x) * m.w.xyz) * inverse, q.x);
}

// Contribution of a view of a flat detector to gradient (per mm) and value. In the names of view_gradient.hpp, with
// depth d: grad q / d^2 = (q_u grad u + q_v grad v - 2 q / d grad d) / d^2.
vec4 slope_of_view(ViewRows m, POSITION p, float layer) {
  float inverse = 1.0 / p.z, square = inverse * inverse;
  vec2 at = p.xy * inverse;
  vec3 q = textureLod(slopes, vec3(at, layer), 0.0).rgb;
  vec2 along = q.yz * (square * inverse * detector_size);
  float deeper = dot(at, along) + 2.0 * (square * inverse) * q.x;
  return vec4(along.x * m.a.xyz + along.y * m.b.xyz - deeper * m.w.xyz, square * q.x);
}

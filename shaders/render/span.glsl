// The part of a ray that a box and clip planes leave over.
const float far_away = 3e38;

struct Span {
  float from, to;
  vec3 normal;  // normal of the face that the ray enters through
};

// Keeps the part of a ray with dot(n, x) <= offset, given slope = dot(n, direction) and gap = offset - dot(n, origin).
void keep(inout Span span, vec3 n, float slope, float gap) {
  float t = gap / slope;
  if (slope == 0.0) {
    if (gap < 0.0) span.to = -far_away;
  } else if (slope > 0.0) {
    span.to = min(span.to, t);
  } else if (t > span.from) {
    span.from = t;
    span.normal = n;
  }
}

void keep_box(inout Span span, vec3 low, vec3 high, Ray ray) {
  for (int a = 0; a < 3; ++a) {
    vec3 n = vec3(a == 0, a == 1, a == 2);
    keep(span, n, ray.direction[a], high[a] - ray.origin[a]);
    keep(span, -n, -ray.direction[a], ray.origin[a] - low[a]);
  }
}

// Keeps dot(plane.xyz, x) <= plane.w.
void keep_plane(inout Span span, vec4 plane, Ray ray) {
  keep(span, plane.xyz, dot(plane.xyz, ray.direction), plane.w - dot(plane.xyz, ray.origin));
}

// The transfer function as tables: red, green, blue, extinction in 1/mm by value, and the means over steps from one
// value to another, with colours times extinction.
layout(binding = 2) uniform sampler2D transfer_table;  // one row
layout(binding = 6) uniform sampler2D transfer_pairs;  // across: the first value, up: the last one

// Value -> texture coordinate: value * x + y. The ends of the range are the table's first and last entries.
uniform vec2 transfer_scale;

vec4 transfer_at(float place) { return textureLod(transfer_table, vec2(place, 0.5), 0.0); }
vec4 classify(float value) { return transfer_at(value * transfer_scale.x + transfer_scale.y); }

vec4 absorbed_at(float place) {
  vec4 c = transfer_at(place);
  return vec4(c.rgb * c.a, c.a);
}

// The mean over a step along which values go evenly from `first` to `last` (pre-integration): the colour weighted by
// extinction, and the extinction. Classifier::between() is the same.
vec4 classify_between(float first, float last) {
  vec2 entries = vec2(textureSize(transfer_table, 0).x, textureSize(transfer_pairs, 0).x), edge = 0.5 / entries;
  vec2 ends = vec2(first, last) * transfer_scale.x + transfer_scale.y;
  float apart = ends.y - ends.x;
  if (abs(apart) * entries.y < 1.0) return transfer_at(0.5 * (ends.x + ends.y));
  vec2 inside = clamp(ends, edge.x, 1.0 - edge.x);
  vec2 place = mix(edge.yy, 1.0 - edge.yy, (inside - edge.x) / (1.0 - 2.0 * edge.x));
  vec4 mean = textureLod(transfer_pairs, place, 0.0);
  if (ends != inside) {  // beyond the range samples are constant
    vec2 beyond = (ends - inside) / apart;
    mean = mean * (inside.y - inside.x) / apart + beyond.y * absorbed_at(ends.y) - beyond.x * absorbed_at(ends.x);
  }
  return vec4(mean.a > 0.0 ? mean.rgb / mean.a : vec3(0.0), max(mean.a, 0.0));
}

// Boxes in the plane of value and gradient: Classifier::with_boxes() is the same.
uniform int boxes;
uniform vec4 box_ranges[8];  // values from, to; gradients from, to
uniform vec4 box_colors[8];  // a: extinction

bool in_a_box(float value) {
  for (int i = 0; i < boxes; ++i)
    if (value > box_ranges[i].x && value < box_ranges[i].y) return true;
  return false;
}

float inside_range(float x, vec2 range, bool open_below) {
  float rim = 0.1 * (range.y - range.x);
  return clamp(min(open_below ? 1.0 : (x - range.x) / rim, (range.y - x) / rim), 0.0, 1.0);
}

// `c`: colour and extinction of the value alone.
vec4 with_boxes(vec4 c, float value, float gradient) {
  for (int i = 0; i < boxes; ++i) {
    vec4 r = box_ranges[i];
    float added = box_colors[i].a * inside_range(value, r.xy, false) * inside_range(gradient, r.zw, r.z == 0.0);
    if (added > 0.0) c = vec4((c.a * c.rgb + added * box_colors[i].rgb) / (c.a + added), c.a + added);
  }
  return c;
}

// The share of light that `length` mm of this extinction absorbs.
float stopped(float extinction, float length) { return 1.0 - exp(-extinction * length); }

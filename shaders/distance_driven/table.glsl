// Summed areas of a stack of images, a layer each: texel (i, k) is what lies below edges i and k, so a footprint holds the
// difference of its four corners. A mean may have been taken away from every entry before summing.
//   GATHERED   four texels a lookup and weights of 32 bits; otherwise hardware weighs, in 256ths

layout(binding = 0) uniform sampler2DArray table;
uniform vec2 table_size;  // edges
uniform float mean;

#ifdef GATHERED
const bool rounds = false;

float corner(float i, float k, float image) {
  vec2 at = vec2(i, k), low = min(floor(at), table_size - 2.0), part = at - low;
  vec4 t = textureGather(table, vec3((low + 1.0) / table_size, image));  // (0, 1), (1, 1), (1, 0), (0, 0)
  vec2 along = mix(t.wx, t.zy, part.x);
  return mix(along.x, along.y, part.y);
}
#else
// Edges are looked up where hardware can tell them apart, and what is found there is stretched to the footprint's part
// within the table: rounded weights would change what a footprint holds, the more the larger the sums are.
const bool rounds = true;

float corner(float i, float k, float image) {
  return textureLod(table, vec3((vec2(i, k) + 0.5) / table_size, image), 0.0).r;
}
#endif

const float steps = 256.0, least_width = 0.0625;  // footprints of a few 256ths are better left where they are

float placed(float x, bool at_steps) { return at_steps ? roundEven(x * steps) / steps : x; }

// The mean of a place within the table, were it spread evenly over `blur` to both sides (much less than the table).
float mean_within(float place, float blur) {
  float most = table_size.y - 1.0;
  if (!(blur > 0.0)) return clamp(place, 0.0, most);
  float before = clamp(blur - place, 0.0, 2.0 * blur), beyond = clamp(place + blur - most, 0.0, 2.0 * blur);
  return clamp(place + (before * before - beyond * beyond) / (4.0 * blur), 0.0, most);
}

// An edge along: where it is, and where it is looked up, both within the table.
vec2 edge(float place, float blur, bool at_steps) {
  float at = mean_within(place, blur);
  return vec2(at, clamp(placed(at, at_steps), 0.0, table_size.y - 1.0));
}

// What the way from one edge to another is over what it is in the table.
float stretch(vec2 from, vec2 to) { return from.y == to.y ? 0.0 : (to.x - from.x) / (to.y - from.y); }

// What lies between two edges across, below edge k.
float below(vec2 across, float k, float image) {
  return corner(across.y, k, image) - corner(across.x, k, image) + mean * (across.y - across.x) * k;
}

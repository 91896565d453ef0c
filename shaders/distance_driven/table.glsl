// Summed areas of a stack of images, one layer each. Texel (i, k) is the sum below edges i and k, so a footprint's sum
// is a difference at its four corners. A mean was subtracted before summing, and then each column's own mean: with
// small entries, the rounding of hardware's weights does little harm. The sums of column means lie in a line beyond the
// last edge, after an empty line. A table may hold a part of its images across.
//   LINES      number of neighbours of an invocation, along

layout(binding = 0) uniform sampler2DArray table;
uniform vec2 table_size;   // edges
uniform float table_first; // first of the image's edges across in the table
uniform vec2 image_size;   // edges of the image
uniform float mean;

#include "distance_driven/lookup/filtered.glsl"  // or gathered

const float least_width = 0.0625;  // narrower footprints keep their own edges

float placed(float x, bool at_steps) {
  const float coarse = 49152.0;  // added to it, single precision has steps of 1/256 (|x| up to 2^14)
  precise float y = x + coarse;
  precise float z = y - coarse;
  return at_steps ? z : x;
}

vec2 part_across(vec2 edges) { return clamp(edges - table_first, 0.0, table_size.x - 1.0); }

// The mean of a place within the image, spread evenly over `blur` to both sides (much less than the image).
float mean_within(float place, float blur) {
  float most = image_size.y - 1.0;
  if (!(blur > 0.0)) return clamp(place, 0.0, most);
  float before = clamp(blur - place, 0.0, 2.0 * blur), beyond = clamp(place + blur - most, 0.0, 2.0 * blur);
  return clamp(place + (before * before - beyond * beyond) / (4.0 * blur), 0.0, most);
}

// Edge k along lies at start + k step, spread over blur.x + k blur.y to both sides. x is its place, y the place of its
// lookup, both within the image. Nearer to the middle than `sharp`, no edge reaches the image's ends.
vec2 edge(float k, vec2 start_step, vec2 blur, float sharp, bool at_steps) {
  float most = image_size.y - 1.0, place = fma(k, start_step.y, start_step.x), at = clamp(place, 0.0, most);
  if (abs(place - 0.5 * most) > sharp) at = mean_within(place, abs(fma(k, blur.y, blur.x)));
  return vec2(at, placed(at, at_steps));
}

// Sum of the columns' means up to edge i across, per entry along. level_between(): between two edges.
float level(float i, int image) {
  int low = min(int(i), int(table_size.x) - 2), line = int(table_size.y) + 1;
  return mix(texelFetch(table, ivec3(low, line, image), 0).r, texelFetch(table, ivec3(low + 1, line, image), 0).r,
             i - float(low));
}
float level_between(vec2 across, int image) {
  return level(across.y, image) - level(across.x, image) + mean * (across.y - across.x);
}

float below(vec2 across, float k, float image) {
  return corner(across.y, k, image) - corner(across.x, k, image);
}

#include "distance_driven/neighbours/adjacent.glsl"  // or apart

float sums[LINES];

// The neighbours of an invocation, along: x is the first, y their distance. If they lie apart, the neighbours of
// `apart` invocations alternate.
ivec2 neighbours(int invocation, int apart) {
  return lie_apart ? ivec2(invocation / apart * (LINES * apart) + invocation % apart, apart)
                   : ivec2(invocation * LINES, 1);
}

// Adds `over` times the table's sum between edges k and k + 1 along, and `level` times the distance of these edges, for
// k = first, first + stride, first + 2 stride ... `across` counts the table's edges; all else counts the image's.
void add_lines(vec2 across, vec2 start_step, vec2 blur, int first, int stride, float over, float level, int image) {
  bool high = rounds && abs(start_step.y) > least_width;
  float last = float(first + (LINES - 1) * stride + 1);
  float sharp = 0.5 * (image_size.y - 1.0) -
                max(abs(fma(float(first), blur.y, blur.x)), abs(fma(last, blur.y, blur.x)));
  vec2 from = edge(float(first), start_step, blur, sharp, high);
  float layer = float(image), before = below(across, from.y, layer);
  for (int n = 0; n < LINES; ++n) {
    if (lie_apart) {
      from = edge(float(first + n * stride), start_step, blur, sharp, high);
      before = below(across, from.y, layer);
    }
    float k = lie_apart ? float(first + n * stride) + 1.0 : float(first + n + 1);
    vec2 to = edge(k, start_step, blur, sharp, high);
    float next = below(across, to.y, layer);
    vec2 distances = to - from;
    float found = high ? (distances.y == 0.0 ? 0.0 : distances.x / distances.y) : 1.0;
    sums[n] += over * found * (next - before) + level * (to.x - from.x);
    from = to;
    before = next;
  }
}

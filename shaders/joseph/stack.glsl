// The volume as slices perpendicular to one axis, and the sum along a ray over those of one texture. ORBIT: four
// quarter-turn copies of the volume share a texel, so that the ray of a view and those of the three views on quarter
// turns take one sample; all rays go along x then.
#include "shared/rays.glsl"
#include "shared/narrow.glsl"
#include "shared/sample/hardware.glsl"  // or software

layout(binding = 0) uniform sampler2DArray stack;
uniform vec2 slice_size;      // voxels along u and v
uniform int first_slice;      // of the volume, that layer 0 holds
uniform int from_slice;       // the first of the slices to sum over
uniform int slice_count;
uniform float middle_slice;
uniform float unit;           // what a stored 1 means

// What sample_stack() takes: a place in voxels where shaders interpolate, otherwise in the texture, from 0 to 1.
#if defined(SAMPLE_EXACT) || defined(DIRECT)
#define PLACES_IN_VOXELS
#define SCALE vec2(1.0)
#define SHIFT (0.5 * slice_size - 0.5)
#else
#define SCALE (1.0 / slice_size)
#define SHIFT vec2(0.5)
#endif

#ifdef ORBIT
#define VALUE vec4
#define VALUE_OF(texel) (texel)
#else
#define VALUE float
#define VALUE_OF(texel) (texel).r
#endif

#ifdef DIRECT
// The volume's own slices, along z: two of them give what a slice along `axis` would, for another fetch in place of a
// copy of the volume.
uniform float slice_scale;  // 1 / slices along the axis
#ifdef FILTER_ROUNDS  // just past the texel's middle, so that the filter's rounding cannot reach the slice before
const float middle_texel = 0.5 + 1.0 / 4096.0;
#else
const float middle_texel = 0.5;
#endif
float sample_stack(vec2 place, float layer) {
  float along = (layer + middle_texel) * slice_scale;
  float u = (place.x + 0.5) / slice_size.x, below = floor(place.y), above = below + 1.0, last = slice_size.y - 1.0;
  vec2 at = axis == 0 ? vec2(along, u) : vec2(u, along);
  // Layers are clamped, not faded out: rounding may lead a ray's end past the first or the last.
  float low = below == clamp(below, 0.0, last) ? textureLod(stack, vec3(at, below), 0.0).r : 0.0;
  float high = above == clamp(above, 0.0, last) ? textureLod(stack, vec3(at, above), 0.0).r : 0.0;
  return mix(low, high, place.y - below);
}
#elif defined(SAMPLE_EXACT)
VALUE sample_stack(vec2 place, float layer) {
  return sample_view(stack, place, 1.0 / slice_size, layer);
}
#else
VALUE sample_stack(vec2 position, float layer) { return VALUE_OF(textureLod(stack, vec3(position, layer), 0.0)); }
#endif

#ifdef BOXES
float box_value(vec2 cell, float layer) {
  bool inside = all(greaterThanEqual(cell, vec2(0.0))) && all(lessThan(cell, slice_size));
  return inside ? texelFetch(stack, ivec3(cell, layer), 0).r : 0.0;
}

// Voxels as boxes (engine/projectors/siddon/box_lengths.hpp): in a slice's slab a ray passes through at most three.
float boxes(RayRows r, Ray ray, float s, float layer) {
  vec2 slab = started(r, ray.sense, s);
  if (!(slab.x < slab.y)) return 0.0;
  vec2 to_cell = 0.5 * slice_size;
  vec2 a = floor(ray.at + slab.x * ray.step + to_cell), b = floor(ray.at + slab.y * ray.step + to_cell);
  vec2 cut = clamp((max(a, b) - to_cell - ray.at) / ray.step, slab.x, slab.y);
  cut = mix(cut, slab.yy, equal(a, b));
  vec2 between = cut.x < cut.y ? vec2(b.x, a.y) : vec2(a.x, b.y);
  float first = min(cut.x, cut.y), second = max(cut.x, cut.y), sum = (first - slab.x) * box_value(a, layer);
  if (second > first) sum += (second - first) * box_value(between, layer);
  if (slab.y > second) sum += (slab.y - second) * box_value(b, layer);
  return sum;
}
#endif

VALUE line_integral(RayRows r, vec2 pixel) {
  Ray ray;
  bool here = ray_through(r, pixel_vector(r, pixel), ray);
  if (!here) return VALUE(0.0);
  float from = float(from_slice) - middle_slice, to = from + float(slice_count - 1);
  narrow(ray.at.x, ray.step.x, 0.5 * slice_size.x + 0.5, from, to);
  narrow(ray.at.y, ray.step.y, 0.5 * slice_size.y + 0.5, from, to);
  if (!(from <= to)) return VALUE(0.0);
  // Counted from the middle, where the grid's numbers are smallest.
  float s = ceil(from + middle_slice) - middle_slice, last = floor(to + middle_slice) - middle_slice;
  float to_layer = middle_slice - float(first_slice);
  vec2 step = ray.step * SCALE, at = ray.at * SCALE + SHIFT;
  VALUE sum = VALUE(0.0);
#ifdef BOXES
#define SAMPLE_AT(s) boxes(r, ray, s, (s) + to_layer)
#else
#define SAMPLE_AT(s) slab_share(r, ray.sense, s) * sample_stack(at + (s) * step, (s) + to_layer)
#endif
  // Counted, so that they end whatever a driver makes of the ends.
  int left = min(int(last - s) + 1, slice_count);
#if UNROLLED > 1
  for (; left >= UNROLLED; left -= UNROLLED, s += float(UNROLLED))
    for (int k = 0; k < UNROLLED; ++k) sum += SAMPLE_AT(s + float(k));
#endif
  for (; left > 0; --left, s += 1.0) sum += SAMPLE_AT(s);
  return sum * (ray.length * unit);
}

// The volume's own slices, along z: two of them give the value of a slice along `axis`. This costs a second fetch, but
// no copy of the volume. Places are in voxels.
#define VALUE float

uniform float slice_scale;   // 1 / slices along the axis
uniform float middle_texel;  // 0.5, or a little more, so that hardware's rounding cannot reach the slice before

vec2 place_scale() { return vec2(1.0); }
vec2 place_shift() { return 0.5 * slice_size - 0.5; }

float sample_stack(vec2 place, float layer) {
  float along = (layer + middle_texel) * slice_scale;
  float u = (place.x + 0.5) / slice_size.x, below = floor(place.y), above = below + 1.0, last = slice_size.y - 1.0;
  vec2 at = axis == 0 ? vec2(along, u) : vec2(u, along);
  // Layers are clamped and do not fade out: rounding may move a ray's end beyond the first or the last layer.
  float low = below == clamp(below, 0.0, last) ? textureLod(stack, vec3(at, below), 0.0).r : 0.0;
  float high = above == clamp(above, 0.0, last) ? textureLod(stack, vec3(at, above), 0.0).r : 0.0;
  return mix(low, high, place.y - below);
}

// Four quarter-turn copies of the volume share a texel. So the ray of a view and the rays of the three views on quarter
// turns take one sample by the texture unit; all rays then go along x. Places are fractions of the slice.
#define VALUE vec4

vec2 place_scale() { return 1.0 / slice_size; }
vec2 place_shift() { return vec2(0.5); }

vec4 sample_stack(vec2 place, float layer) { return textureLod(stack, vec3(place, layer), 0.0); }

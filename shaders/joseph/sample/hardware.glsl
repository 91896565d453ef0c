// A slice interpolated by the texture unit: places are fractions of the slice.
#define VALUE float

vec2 place_scale() { return 1.0 / slice_size; }
vec2 place_shift() { return vec2(0.5); }

float sample_stack(vec2 place, float layer) { return textureLod(stack, vec3(place, layer), 0.0).r; }

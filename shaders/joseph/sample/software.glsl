// A slice interpolated in fp32: places are in voxels.
#define VALUE float
#include "shared/bilinear.glsl"

vec2 place_scale() { return vec2(1.0); }
vec2 place_shift() { return 0.5 * slice_size - 0.5; }

float sample_stack(vec2 place, float layer) { return bilinear(stack, place, 1.0 / slice_size, layer); }

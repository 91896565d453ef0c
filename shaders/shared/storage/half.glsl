// Values are stored as halves, rounded to the nearest.
#include "shared/nearest_half.glsl"

float stored(float value) { return nearest_half(value); }

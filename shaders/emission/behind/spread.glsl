// The rest of a pixel passes on to be blurred, along rows first.
vec2 left_behind(float left, vec2 variance) { return spread(left, variance.y); }

// What is left of a pixel goes on as it is.
vec2 left_behind(float left, vec2 variance) { return vec2(left); }

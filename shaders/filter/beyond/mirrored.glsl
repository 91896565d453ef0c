// Beyond its ends a row is continued, mirrored in the end point and tapered
// (engine/preprocess/filter/row_convolution.hpp); farther out it is zero.
layout(std430, binding = 5) readonly buffer Taper { float taper[]; };

float continued(int column, int row, int view, int layer) {
  int beyond = max(-column, column - columns + 1);
  if (beyond > extension) return 0.0;
  if (beyond > 0) {
    ivec2 mirror = column < 0 ? ivec2(0, beyond) : columns - 1 - ivec2(0, beyond);
    float end = weighed(mirror.x, row, view, layer);
    float p = 2.0 * end - weighed(mirror.y, row, view, layer);
    return end == 0.0 ? 0.0 : taper[beyond - 1] * (end > 0.0 ? max(p, 0.0) : min(p, 0.0));
  }
  return weighed(column, row, view, layer);
}

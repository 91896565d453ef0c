// Each ray goes through the stack of its own main axis: that along which it crosses most slices.
bool through_stack(RayRows r, vec3 step, float most) {
  // Axes in x, y, z order; of equal steps the first wins.
  bool beats_u = axis == 0 ? most >= abs(step.x) : most > abs(step.x);
  bool beats_v = axis == 2 ? most > abs(step.y) : most >= abs(step.y);
  return beats_u && beats_v;
}

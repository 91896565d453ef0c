// Each ray goes through the stack of its own main axis, along which it crosses most slices. As in main_axis() of
// engine/projectors/joseph/slice_steps.hpp, the first of equal axes in x, y, z order counts, and steps that differ by
// less than this are equal.
const float more_slices = 1.0 + 1e-5;

bool through_stack(RayRows r, vec3 step, float most) {
  precise float u = abs(step.x), v = abs(step.y);
  precise float limit = more_slices * most;
  if (axis == 0) return u <= limit && v <= limit;
  bool second = axis == 1 ? most > more_slices * u : v > more_slices * u;  // y beats x
  if (axis == 1) return second && v <= limit;
  return most > more_slices * (second ? v : u);
}

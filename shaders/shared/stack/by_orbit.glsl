// All rays go through the stack along x, except those that are too steep for it, which miss the grid.
uniform float most_sideways;  // voxels a slice

bool through_stack(RayRows r, vec3 step, float most) {
  precise float sideways = dot(step.xy, step.xy);
  return sideways <= most_sideways * most_sideways * most * most;
}

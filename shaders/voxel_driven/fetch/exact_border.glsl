// One fetch of a view by hardware's filter, except at the detector's border. There its weights of 8 bits would omit
// voxels that a view hardly sees, and would have an error of a fifth where a view sees a hundredth. Sums are made
// without a branch for each view, and again with a branch if they met the border.
bool border_met = false, samples_border = false;

float fetch(vec2 place, float layer) {
  bool border = !within_border(place);
  border_met = border_met || border;
  if (samples_border && border) return sample_border(projections, place, layer);
  return sample_view(projections, place, pixel_scale, layer);
}

/// Whether to make the sum over views again.
bool again() { return samples_border = border_met; }

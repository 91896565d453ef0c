// One fetch of a view by hardware's filter, except on the detector's border: there its weights of 8 bits would leave out
// voxels of which a view sees next to nothing, and be off by a fifth where it sees a hundredth. Sums are made without a
// branch for each view, and again with one where they met the border.
bool border_met = false, samples_border = false;

float fetch(vec2 place, float layer) {
  bool border = !within_border(place);
  border_met = border_met || border;
  if (samples_border && border) return sample_border(projections, place, layer);
  return sample_view(projections, place, pixel_scale, layer);
}

/// Whether the sum over views is to be made again.
bool again() { return samples_border = border_met; }

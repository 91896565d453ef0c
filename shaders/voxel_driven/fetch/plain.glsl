// One fetch of a view, at its border as elsewhere.
float fetch(vec2 place, float layer) { return sample_view(projections, place, pixel_scale, layer); }

/// Whether to make the sum over views again.
bool again() { return false; }

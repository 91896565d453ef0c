// One fetch of a view, on its border as elsewhere.
float fetch(vec2 place, float layer) { return sample_view(projections, place, pixel_scale, layer); }

/// Whether the sum over views is to be made again.
bool again() { return false; }

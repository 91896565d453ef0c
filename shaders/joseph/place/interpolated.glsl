// The fragment's place in the slice from the rasteriser, for drivers that filter with full weights. Corners are snapped
// to 1/256 pixel.
vec2 place_in_slice(Ray ray, float s) { return (place.voxel + 0.5) / slice_size; }

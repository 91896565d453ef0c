// Where in the slice the fragment lies: the rasteriser's, for drivers that filter with whole weights. Corners are snapped
// to 1/256 pixel.
vec2 place_in_slice(Ray ray, float s) { return (place.voxel + 0.5) / slice_size; }

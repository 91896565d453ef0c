// Steps from the detector's middle along columns and along v.
vec4 pixel_vector(RayRows r, vec2 pixel) { return vec4(pixel - middle, 0.0, 1.0); }

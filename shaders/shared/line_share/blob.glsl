// The length of a ray in a voxel's kernel.
#include "blob/blob.glsl"

const float reach = blob_radius;

float share_of(Line l, vec3 p) { return blob_length(l, p); }

// Trilinear by hardware's filter, zero outside, at a voxel index of a grid of which the texture holds a box: samples of boxes add up to the
// whole's.
float sample_box(sampler3D box, vec3 first, vec3 size, vec3 at) {
  return textureLod(box, (at - first + 0.5) / size, 0.0).r;
}

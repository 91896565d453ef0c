// Trilinear by hardware's filter, zero outside. `at` is a voxel index of a grid, and the texture holds a box of that
// grid: the samples of all boxes add up to those of the whole grid.
float sample_box(sampler3D box, vec3 first, vec3 size, vec3 at) {
  return textureLod(box, (at - first + 0.5) / size, 0.0).r;
}

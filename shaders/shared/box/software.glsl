// Trilinear in fp32, zero outside. `at` is a voxel index of a grid, and the texture holds a box of that grid: the
// samples of all boxes add up to those of the whole grid.
float sample_box(sampler3D box, vec3 first, vec3 size, vec3 at) {
  vec3 low = floor(at), part = at - low;
  ivec3 corner = ivec3(low - first);
  float sum = 0.0;
  for (int i = 0; i < 8; ++i) {
    ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2), texel = corner + side;
    if (any(lessThan(texel, ivec3(0))) || any(greaterThanEqual(texel, ivec3(size)))) continue;
    vec3 near = mix(1.0 - part, part, vec3(side));
    sum += near.x * near.y * near.z * texelFetch(box, texel, 0).r;
  }
  return sum;
}

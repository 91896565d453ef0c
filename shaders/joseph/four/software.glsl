// Voxels 4 quarter to 4 quarter + 3 along z, interpolated along u in fp32.
vec4 four_voxels(float u, int quarter, float layer) {
  float below = floor(u), last = slice_size.x - 1.0;
  ivec3 at = ivec3(below, quarter, layer);
  vec4 low = below == clamp(below, 0.0, last) ? texelFetch(stack, at, 0) : vec4(0.0);
  vec4 high = below + 1.0 == clamp(below + 1.0, 0.0, last) ? texelFetch(stack, at + ivec3(1, 0, 0), 0) : vec4(0.0);
  return mix(low, high, u - below);
}

// Sums are the bits of floating-point numbers, which OpenGL 4.5 has no addition for: what is there is replaced by what it
// should become until nobody else was faster.
layout(binding = 0, r32i) coherent uniform iimage2DArray sums;

void add(ivec3 voxel, float amount) {
  int seen = imageLoad(sums, voxel).r, expected;
  do {
    expected = seen;
    seen = imageAtomicCompSwap(sums, voxel, expected, floatBitsToInt(intBitsToFloat(expected) + amount));
  } while (seen != expected);
}

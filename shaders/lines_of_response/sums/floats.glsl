// Sums are the bits of floating-point numbers. OpenGL 4.5 cannot add these atomically, so the new sum replaces the old
// one in a loop that ends when no other invocation was faster.
layout(binding = 0, r32i) coherent uniform iimage2DArray sums;

void add(ivec3 voxel, float amount) {
  int seen = imageLoad(sums, voxel).r, expected;
  do {
    expected = seen;
    seen = imageAtomicCompSwap(sums, voxel, expected, floatBitsToInt(intBitsToFloat(expected) + amount));
  } while (seen != expected);
}

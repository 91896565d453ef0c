// Sums are integers, in units such that the sum of all lines of a call cannot overflow.
layout(binding = 0, r32i) coherent uniform iimage2DArray sums;

void add(ivec3 voxel, float amount) { imageAtomicAdd(sums, voxel, int(round(amount))); }

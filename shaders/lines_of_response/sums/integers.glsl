// Sums are integers, in units such that all lines of a call together cannot overflow.
layout(binding = 0, r32i) coherent uniform iimage2DArray sums;

void add(ivec3 voxel, float amount) { imageAtomicAdd(sums, voxel, int(round(amount))); }

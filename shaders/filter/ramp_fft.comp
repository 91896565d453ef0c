#version 450 core
// Weighs two rows and filters them: they travel as real and imaginary part of one transform of SIZE (a power of two, at
// least twice the columns) in shared memory. Decimation in frequency leaves the spectrum in bit-reversed order, which is
// what decimation in time takes to come back, so nothing is ever sorted (Cooley and Tukey, Math. Comput. 19 (1965) 297;
// Gentleman and Sande, AFIPS 29 (1966) 563).
#include "filter/weigh.glsl"

layout(local_size_x = THREADS) in;

layout(binding = 0, FORMAT) writeonly uniform image2DArray filtered;
layout(std430, binding = 3) readonly buffer Response { float response[]; };  // at SIZE / 2 + 1 frequencies, / SIZE
layout(std430, binding = 4) readonly buffer Twiddle { vec2 twiddle[]; };     // exp(-2 pi i k / SIZE), k < SIZE / 2

uniform int first_view;   // of the scan
uniform int first_layer;  // of `views`
uniform int first_out;    // layer of `filtered`

shared vec2 s[SIZE];

vec2 product(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

void main() {
  int lane = int(gl_LocalInvocationID.x), row = 2 * int(gl_WorkGroupID.x), n = int(gl_WorkGroupID.y);
  for (int i = lane; i < SIZE; i += THREADS)
    s[i] = vec2(weighed(i, row, first_view + n, first_layer + n), weighed(i, row + 1, first_view + n, first_layer + n));
  barrier();
  for (int stage = STAGES - 1; stage >= 0; --stage) {
    int width = 1 << stage;
    for (int b = lane; b < SIZE / 2; b += THREADS) {
      int j = b & (width - 1), i = ((b - j) << 1) + j;
      vec2 u = s[i], v = s[i + width];
      s[i] = u + v;
      s[i + width] = product(u - v, twiddle[j << (STAGES - 1 - stage)]);
    }
    barrier();
  }
  for (int i = lane; i < SIZE; i += THREADS) {
    int k = int(bitfieldReverse(uint(i)) >> (32 - STAGES));
    s[i] *= response[min(k, SIZE - k)];
  }
  barrier();
  for (int stage = 0; stage < STAGES; ++stage) {
    int width = 1 << stage;
    for (int b = lane; b < SIZE / 2; b += THREADS) {
      int j = b & (width - 1), i = ((b - j) << 1) + j;
      vec2 u = s[i], v = product(s[i + width], twiddle[j << (STAGES - 1 - stage)] * vec2(1.0, -1.0));
      s[i] = u + v;
      s[i + width] = u - v;
    }
    barrier();
  }
  int columns = imageSize(filtered).x;
  for (int i = lane; i < columns; i += THREADS) {
    imageStore(filtered, ivec3(i, row, first_out + n), vec4(s[i].x));
    if (row + 1 < rows) imageStore(filtered, ivec3(i, row + 1, first_out + n), vec4(s[i].y));
  }
}

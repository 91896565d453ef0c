#version 450 core
// Weights two rows and filters them: they are the real and imaginary part of one transform of SIZE (a power of two, at
// least the columns) in shared memory. Decimation in frequency leaves the spectrum in bit-reversed order, and
// decimation in time takes this order, so nothing is sorted (Cooley and Tukey, Math. Comput. 19 (1965) 297; Gentleman
// and Sande, AFIPS 29 (1966) 563). Columns before column 0 stand at the end, because the transform wraps round.
#include "filter/kernel/even.glsl"  // or odd
#include "filter/weigh.glsl"

const int stages = findMSB(SIZE);
const int threads = SIZE < 512 ? SIZE / 2 : 256;
layout(local_size_x = threads) in;

layout(binding = 0, FORMAT) writeonly uniform image2DArray filtered;
layout(std430, binding = 3) readonly buffer Response { float response[]; };  // at SIZE / 2 + 1 frequencies, / SIZE
layout(std430, binding = 4) readonly buffer Twiddle { vec2 twiddle[]; };     // exp(-2 pi i k / SIZE), k < SIZE / 2

uniform int first_view;   // of the scan
uniform int first_layer;  // of `views`
uniform int first_out;    // layer of `filtered`

shared vec2 s[SIZE];

vec2 product(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

vec2 root(int j, int stage) { return twiddle[j << (stages - 1 - stage)]; }
vec2 back_root(int j, int stage) { return root(j, stage) * vec2(1.0, -1.0); }

// Two stages at a time, on four values in registers: stage + 1, then stage; or in the opposite order.
void forward_twice(int stage, int lane) {
  int width = 1 << stage;
  for (int b = lane; b < SIZE / 4; b += threads) {
    int j = b & (width - 1), i = ((b - j) << 2) + j;
    vec2 a0 = s[i], a1 = s[i + width], a2 = s[i + 2 * width], a3 = s[i + 3 * width];
    vec2 b0 = a0 + a2, b1 = a1 + a3, turn = root(j, stage);
    vec2 b2 = product(a0 - a2, root(j, stage + 1)), b3 = product(a1 - a3, root(j + width, stage + 1));
    s[i] = b0 + b1;
    s[i + width] = product(b0 - b1, turn);
    s[i + 2 * width] = b2 + b3;
    s[i + 3 * width] = product(b2 - b3, turn);
  }
}

void back_twice(int stage, int lane) {
  int width = 1 << stage;
  for (int b = lane; b < SIZE / 4; b += threads) {
    int j = b & (width - 1), i = ((b - j) << 2) + j;
    vec2 turn = back_root(j, stage);
    vec2 a0 = s[i], a1 = product(s[i + width], turn), a2 = s[i + 2 * width], a3 = product(s[i + 3 * width], turn);
    vec2 b0 = a0 + a1, b1 = a0 - a1;
    vec2 b2 = product(a2 + a3, back_root(j, stage + 1)), b3 = product(a2 - a3, back_root(j + width, stage + 1));
    s[i] = b0 + b2;
    s[i + width] = b1 + b3;
    s[i + 2 * width] = b0 - b2;
    s[i + 3 * width] = b1 - b3;
  }
}

void main() {
  int lane = int(gl_LocalInvocationID.x), row = 2 * int(gl_WorkGroupID.x), n = int(gl_WorkGroupID.y);
  for (int i = lane; i < SIZE; i += threads) {
    int column = i < columns + extension ? i : i - SIZE;
    s[i] = vec2(continued(column, row, first_view + n, first_layer + n),
                continued(column, row + 1, first_view + n, first_layer + n));
  }
  barrier();
  for (int stage = stages - 2; stage >= 0; stage -= 2) {
    forward_twice(stage, lane);
    barrier();
  }
  if (stages % 2 == 1) {
    for (int b = lane; b < SIZE / 2; b += threads) {
      vec2 u = s[2 * b], v = s[2 * b + 1];
      s[2 * b] = u + v;
      s[2 * b + 1] = u - v;
    }
    barrier();
  }
  for (int i = lane; i < SIZE; i += threads) {
    int k = int(bitfieldReverse(uint(i)) >> (32 - stages));
    if (odd_kernel) {
      float r = 2 * k > SIZE ? -response[SIZE - k] : response[k];
      s[i] = r * vec2(-s[i].y, s[i].x);
    } else {
      s[i] *= response[min(k, SIZE - k)];
    }
  }
  barrier();
  if (stages % 2 == 1) {
    for (int b = lane; b < SIZE / 2; b += threads) {
      vec2 u = s[2 * b], v = s[2 * b + 1];
      s[2 * b] = u + v;
      s[2 * b + 1] = u - v;
    }
    barrier();
  }
  for (int stage = stages % 2; stage < stages; stage += 2) {
    back_twice(stage, lane);
    barrier();
  }
  for (int i = lane; i < columns; i += threads) {
    imageStore(filtered, ivec3(i, row, first_out + n), vec4(s[i].x));
    if (row + 1 < rows) imageStore(filtered, ivec3(i, row + 1, first_out + n), vec4(s[i].y));
  }
}

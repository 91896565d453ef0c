// Places of matrix elements in a warp's 32 lanes for a tensor core's product D = A B + D. Factors have 16 bits, sums
// are fp32; A is 16 x 16, B and D are 16 x 8 (mma.sync.m16n8k16; PTX ISA, "Matrix Fragments for mma.m16n8k16"). Also
// the values that ldmatrix.trans loads into each lane. A register of A or B holds two values, one of D holds one.
#pragma once

#include <backlit/core/hd.hpp>

namespace backlit {

struct MatrixPlace {
  int row, column;
};

/// Place of a value of A in a lane: registers 0..3, halves 0 and 1.
BACKLIT_HD inline MatrixPlace fragment_a(int lane, int reg, int half) {
  return {lane / 4 + (reg & 1 ? 8 : 0), lane % 4 * 2 + half + (reg & 2 ? 8 : 0)};
}
/// Place of a value of B: registers 0 and 1, halves 0 and 1.
BACKLIT_HD inline MatrixPlace fragment_b(int lane, int reg, int half) {
  return {lane % 4 * 2 + half + 8 * reg, lane / 4};
}
/// Place of a value of D: registers 0..3.
BACKLIT_HD inline MatrixPlace fragment_d(int lane, int reg) {
  return {lane / 4 + (reg & 2 ? 8 : 0), lane % 4 * 2 + (reg & 1)};
}

/// ldmatrix.x4.trans: four matrices of 8 rows of 8 values (16 bytes) in memory. Lane l gives the address of row l % 8
/// of matrix l / 8. Register m of each lane receives two values of matrix m: this place and the row below it.
BACKLIT_HD inline MatrixPlace transposed_place(int lane) { return {lane % 4 * 2, lane / 4}; }

}  // namespace backlit

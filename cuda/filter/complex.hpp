// Complex numbers for kernels.
#pragma once

#include <backlit/core/hd.hpp>

namespace backlit::cuda {

struct Complex {
  float x, y;
};
BACKLIT_HD inline Complex operator+(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }
BACKLIT_HD inline Complex operator-(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }
BACKLIT_HD inline Complex operator*(float a, Complex b) { return {a * b.x, a * b.y}; }
BACKLIT_HD inline Complex operator*(Complex a, Complex b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
BACKLIT_HD inline Complex conjugate(Complex a) { return {a.x, -a.y}; }
/// a times i times `sign`.
template <int sign>
BACKLIT_HD inline Complex quarter_turn(Complex a) {
  return sign > 0 ? Complex{-a.y, a.x} : Complex{a.y, -a.x};
}

}  // namespace backlit::cuda

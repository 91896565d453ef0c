// Element-by-element operations and deterministic reductions on linear device memory.
#pragma once

#include <cstdint>

#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"

namespace backlit::cuda {

void fill(Stream&, float* y, std::int64_t n, float value);
void scale(Stream&, float* y, std::int64_t n, float a);
void axpy(Stream&, float a, const float* x, float* y, std::int64_t n);
void subtract_from(Stream&, const float* x, float* y, std::int64_t n);  ///< y = x - y
void multiply(Stream&, const float* x, float* y, std::int64_t n);
void divide(Stream&, const float* x, float* y, std::int64_t n, float floor);
void clamp(Stream&, float* y, std::int64_t n, float low, float high);
void exponential(Stream&, float* y, std::int64_t n);
/// x = max(x + a d / s, least), or max(x, least) where |s| <= floor.
void add_quotient(Stream&, float a, const float* d, const float* s, float floor, float least, float* x, std::int64_t n);
/// x = x d / s where |s| > floor.
void multiply_quotient(Stream&, const float* d, const float* s, float floor, float* x, std::int64_t n);
/// before = x + momentum (x - before)
void extrapolate(Stream&, float momentum, const float* x, float* before, std::int64_t n);

/// Partial results of a reduction, on the device and back.
class Reducer {
 public:
  Reducer() : partial_(blocks_) {}
  double dot(Stream&, const float* x, const float* y, std::int64_t n);
  double sum(Stream&, const float* x, std::int64_t n);
  float maximum(Stream&, const float* x, std::int64_t n);
  /// total += x . x, on the device; the host does not wait.
  void add_square(Stream&, const float* x, std::int64_t n, float* total);
  /// r = w (b - r), and total += the sum of (b - r)^2, on the device.
  void weigh_residual(Stream&, const float* b, const float* w, float* r, std::int64_t n, float* total);

 private:
  static constexpr int blocks_ = 1024;  // fixed, so that sums repeat bit for bit on any card
  const double* partials(Stream&);
  DeviceBuffer<double> partial_;
  double host_[blocks_];
};

}  // namespace backlit::cuda

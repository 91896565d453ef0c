#include <cmath>
#include <limits>

#include "cuda/device/device_speed.hpp"
#include "cuda/device/vector_ops.hpp"

namespace backlit::cuda {
namespace {

/// A thread reads four values before it writes the first, so that it waits for memory once.
template <class F>
__global__ void each(float* y, std::int64_t n, F f) {
  constexpr int at_once = 4;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  for (; i + (at_once - 1) * stride < n; i += at_once * stride) {
    float value[at_once];
#pragma unroll
    for (int a = 0; a < at_once; ++a) value[a] = f(y[i + a * stride], i + a * stride);
#pragma unroll
    for (int a = 0; a < at_once; ++a) y[i + a * stride] = value[a];
  }
  for (; i < n; i += stride) y[i] = f(y[i], i);
}

template <class F>
void for_each(Stream& stream, const char* name, float* y, std::int64_t n, F f) {
  if (n == 0) return;
  const dim3 grid(static_cast<unsigned>(std::min<std::int64_t>(blocks(n, 256), 16 * multiprocessors())));
  stream.launch(name, grid, dim3(256), 0, each<F>, y, n, f);
}

struct Fill {
  float value;
  __device__ float operator()(float, std::int64_t) const { return value; }
};
struct Scale {
  float a;
  __device__ float operator()(float y, std::int64_t) const { return a * y; }
};
struct Axpy {
  float a;
  const float* x;
  __device__ float operator()(float y, std::int64_t i) const { return fmaf(a, x[i], y); }
};
struct SubtractFrom {
  const float* x;
  __device__ float operator()(float y, std::int64_t i) const { return x[i] - y; }
};
struct Multiply {
  const float* x;
  __device__ float operator()(float y, std::int64_t i) const { return x[i] * y; }
};
struct Divide {
  const float* x;
  float floor;
  __device__ float operator()(float y, std::int64_t i) const { return fabsf(x[i]) > floor ? y / x[i] : 0.0f; }
};
struct Clamp {
  float low, high;
  __device__ float operator()(float y, std::int64_t) const { return fminf(fmaxf(y, low), high); }
};
struct Exponential {
  __device__ float operator()(float y, std::int64_t) const { return expf(y); }
};

struct Extrapolate {
  float momentum;
  const float* x;
  __device__ float operator()(float before, std::int64_t i) const { return fmaf(momentum, x[i] - before, x[i]); }
};
struct AddQuotient {
  float a;
  const float *d, *s;
  float floor, least;
  __device__ float operator()(float x, std::int64_t i) const {
    const float by = s[i];
    return fmaxf(fabsf(by) > floor ? fmaf(a, d[i] / by, x) : x, least);
  }
};
struct MultiplyQuotient {
  const float *d, *s;
  float floor;
  __device__ float operator()(float x, std::int64_t i) const {
    const float by = s[i];
    return fabsf(by) > floor ? x * (d[i] / by) : x;
  }
};

struct WeighedSquare {
  const float *b, *w;
  float* r;
  __device__ double operator()(std::int64_t i) const {
    const float residual = b[i] - r[i];
    r[i] = w[i] * residual;
    return double{residual} * residual;
  }
};
struct Product {
  const float *x, *y;
  __device__ double operator()(std::int64_t i) const { return double{x[i]} * y[i]; }
};
struct Value {
  const float* x;
  __device__ double operator()(std::int64_t i) const { return x[i]; }
};
struct Sum {
  static constexpr double identity = 0;
  __device__ double operator()(double a, double b) const { return a + b; }
};
struct Larger {
  static constexpr double identity = -std::numeric_limits<double>::infinity();
  __device__ double operator()(double a, double b) const { return a > b || isnan(a) ? a : b; }
};

/// One partial result per block, always combined in the same order.
template <class Load, class Combine>
__global__ void reduce(Load load, std::int64_t n, Combine combine, double* partial) {
  double mine = Combine::identity;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += stride)
    mine = combine(mine, load(i));
  __shared__ double warp[32];
  for (int d = 16; d > 0; d /= 2) mine = combine(mine, __shfl_xor_sync(~0u, mine, d));
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < blockDim.x / 32; ++w) mine = combine(mine, warp[w]);
  partial[blockIdx.x] = mine;
}

/// One block sums a reduction's partial sums, always in the same order.
__global__ void add_partials(const double* partial, int count, float* total) {
  double mine = 0;
  for (int i = threadIdx.x; i < count; i += 32) mine += partial[i];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);
  if (threadIdx.x == 0) *total = static_cast<float>(*total + mine);
}

}  // namespace

void fill(Stream& s, float* y, std::int64_t n, float value) { for_each(s, "fill", y, n, Fill{value}); }
void scale(Stream& s, float* y, std::int64_t n, float a) { for_each(s, "scale", y, n, Scale{a}); }
void axpy(Stream& s, float a, const float* x, float* y, std::int64_t n) { for_each(s, "axpy", y, n, Axpy{a, x}); }
void subtract_from(Stream& s, const float* x, float* y, std::int64_t n) {
  for_each(s, "subtract", y, n, SubtractFrom{x});
}
void multiply(Stream& s, const float* x, float* y, std::int64_t n) { for_each(s, "multiply", y, n, Multiply{x}); }
void divide(Stream& s, const float* x, float* y, std::int64_t n, float floor) {
  for_each(s, "divide", y, n, Divide{x, floor});
}
void clamp(Stream& s, float* y, std::int64_t n, float low, float high) { for_each(s, "clamp", y, n, Clamp{low, high}); }
void add_quotient(Stream& stream, float a, const float* d, const float* s, float floor, float least, float* x,
                  std::int64_t n) {
  for_each(stream, "add quotient", x, n, AddQuotient{a, d, s, floor, least});
}
void multiply_quotient(Stream& stream, const float* d, const float* s, float floor, float* x, std::int64_t n) {
  for_each(stream, "multiply quotient", x, n, MultiplyQuotient{d, s, floor});
}
void extrapolate(Stream& s, float momentum, const float* x, float* before, std::int64_t n) {
  for_each(s, "extrapolate", before, n, Extrapolate{momentum, x});
}
void exponential(Stream& s, float* y, std::int64_t n) { for_each(s, "exponential", y, n, Exponential{}); }

const double* Reducer::partials(Stream& stream) {
  BACKLIT_CUDA(cudaMemcpyAsync(host_, partial_.data(), sizeof host_, cudaMemcpyDeviceToHost, stream));
  stream.wait();
  return host_;
}

double Reducer::dot(Stream& stream, const float* x, const float* y, std::int64_t n) {
  stream.launch("dot", dim3(blocks_), dim3(256), 0, reduce<Product, Sum>, Product{x, y}, n, Sum{}, partial_.data());
  double total = 0;
  const double* part = partials(stream);
  for (int i = 0; i < blocks_; ++i) total += part[i];
  return total;
}

void Reducer::add_square(Stream& stream, const float* x, std::int64_t n, float* total) {
  stream.launch("square", dim3(blocks_), dim3(256), 0, reduce<Product, Sum>, Product{x, x}, n, Sum{}, partial_.data());
  stream.launch("add square", dim3(1), dim3(32), 0, add_partials, partial_.data(), blocks_, total);
}

void Reducer::weigh_residual(Stream& stream, const float* b, const float* w, float* r, std::int64_t n, float* total) {
  stream.launch("weigh residual", dim3(blocks_), dim3(256), 0, reduce<WeighedSquare, Sum>, WeighedSquare{b, w, r}, n,
                Sum{}, partial_.data());
  stream.launch("add square", dim3(1), dim3(32), 0, add_partials, partial_.data(), blocks_, total);
}

double Reducer::sum(Stream& stream, const float* x, std::int64_t n) {
  stream.launch("sum", dim3(blocks_), dim3(256), 0, reduce<Value, Sum>, Value{x}, n, Sum{}, partial_.data());
  double total = 0;
  const double* part = partials(stream);
  for (int i = 0; i < blocks_; ++i) total += part[i];
  return total;
}

float Reducer::maximum(Stream& stream, const float* x, std::int64_t n) {
  stream.launch("maximum", dim3(blocks_), dim3(256), 0, reduce<Value, Larger>, Value{x}, n, Larger{}, partial_.data());
  double largest = Larger::identity;
  const double* part = partials(stream);
  for (int i = 0; i < blocks_; ++i) largest = largest > part[i] || std::isnan(largest) ? largest : part[i];
  return static_cast<float>(largest);
}

}  // namespace backlit::cuda

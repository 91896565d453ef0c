#include <cstdint>

#include "filter/kernels.hpp"

namespace backlit::cuda {
namespace {

__global__ void weigh(FilterRows r, int stride, int rows_per_view, const float* __restrict__ values,
                      const RowWeight<float>* __restrict__ weight, const ViewWeights* __restrict__ views,
                      const float* __restrict__ redundancy, float* __restrict__ padded) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (c >= stride) return;
  float value = 0;
  if (c < r.columns) {
    const ViewWeights v = views[row / rows_per_view];
    value = values[std::int64_t{row} * r.columns + c] * weight_at(weight[row], static_cast<float>(c)) * v.gap *
            redundancy[std::int64_t{v.redundancy} * r.columns + c];
  }
  padded[std::int64_t{row} * stride + c] = value;
}

__global__ void respond(int half, const float* __restrict__ response, cufftComplex* spectrum) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= half) return;
  cufftComplex& value = spectrum[std::int64_t{blockIdx.y} * half + k];
  value.x *= response[k];
  value.y *= response[k];
}

__global__ void cut(FilterRows r, int stride, const float* __restrict__ padded, float* __restrict__ values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < r.columns) values[std::int64_t{blockIdx.y} * r.columns + c] = padded[std::int64_t{blockIdx.y} * stride + c];
}

constexpr int threads = 256;

dim3 grid(int columns, int rows) { return {blocks(columns, threads), static_cast<unsigned>(rows)}; }

}  // namespace

void weigh_and_pad(Stream& stream, const FilterRows& r, int rows_per_view, const float* values,
                   const RowWeight<float>* weight, const ViewWeights* views, const float* redundancy, float* padded) {
  stream.launch("weigh", grid(r.stride(), r.rows), dim3(threads), 0, weigh, r, r.stride(), rows_per_view, values,
                weight, views, redundancy, padded);
}

void apply_response(Stream& stream, const FilterRows& r, const float* response, cufftComplex* spectrum) {
  const int half = r.size / 2 + 1;
  stream.launch("ramp", grid(half, r.rows), dim3(threads), 0, respond, half, response, spectrum);
}

void crop(Stream& stream, const FilterRows& r, const float* padded, float* values) {
  stream.launch("crop", grid(r.columns, r.rows), dim3(threads), 0, cut, r, r.stride(), padded, values);
}

}  // namespace backlit::cuda

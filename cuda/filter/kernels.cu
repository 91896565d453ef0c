#include <cfloat>
#include <cstdint>

#include "filter/kernels.hpp"

namespace backlit::cuda {
namespace {

/// Line integrals as they are.
struct Integrals {
  const float* values;
  __device__ float operator()(int image, int, int row, int column, const FilterRows& r) const {
    return values[(std::int64_t{image} * r.rows + row) * r.columns + column];
  }
};

/// Counts, corrected and repaired as they are read.
struct Counts {
  const std::uint16_t* values;
  CountTables tables;

  /// False where there is no reading above dark.
  __device__ bool integral(const std::uint16_t* view, int pixel, float* value) const {
    const float open = tables.open[pixel], reading = view[pixel] - tables.dark[pixel], ratio = reading / open;
    if (!(open > 0 && reading > 0 && ratio >= FLT_MIN && ratio <= FLT_MAX)) return false;
    *value = -logf(ratio);
    return true;
  }

  __device__ float repaired(const std::uint16_t* view, int row, int column, const FilterRows& r, int index) const {
    double sum = 0;
    int known = 0;
    for (int y = max(0, row - 1); y < min(r.rows, row + 2); ++y)
      for (int x = max(0, column - 1); x < min(r.columns, column + 2); ++x)
        if (float value; integral(view, y * r.columns + x, &value)) {
          sum += value;
          ++known;
        }
    if (tables.open[row * r.columns + column] > 0) atomicAdd(&tables.faults[index].replaced, 1u);
    if (known > 0) return static_cast<float>(sum / known);
    atomicAdd(&tables.faults[index].unfilled, 1u);
    return 0;
  }

  __device__ float operator()(int image, int index, int row, int column, const FilterRows& r) const {
    const std::uint16_t* view = values + std::int64_t{image} * r.rows * r.columns;
    float value;
    return integral(view, row * r.columns + column, &value) ? value : repaired(view, row, column, r, index);
  }
};

/// Two neighbouring columns a thread.
template <class Source>
__global__ void weigh(FilterRows r, int stride, Source source, const int* __restrict__ index, WeightTables t,
                      float* __restrict__ padded) {
  const int c = 2 * (blockIdx.x * blockDim.x + threadIdx.x), row = blockIdx.y, image = blockIdx.z;
  if (c >= stride) return;
  const int view = index[image];
  float2 out = {0, 0};
  if (c < r.columns) {
    const ViewWeights v = t.views[view];
    const RowWeight<float> w = t.rows[std::int64_t{view} * r.rows + row];
    const float* redundancy = t.redundancy + std::int64_t{v.redundancy} * r.columns;
    const auto weighed = [&](int column) {
      return source(image, view, row, column, r) * weight_at(w, static_cast<float>(column)) * v.gap *
             redundancy[column];
    };
    out.x = weighed(c);
    if (c + 1 < r.columns) out.y = weighed(c + 1);
  }
  *reinterpret_cast<float2*>(padded + (std::int64_t{image} * r.rows + row) * stride + c) = out;
}

__global__ void respond(int half, const float* __restrict__ response, cufftComplex* spectrum) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= half) return;
  cufftComplex& value = spectrum[(std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * half + k];
  value.x *= response[k];
  value.y *= response[k];
}

__global__ void cut(FilterRows r, int stride, const float* __restrict__ padded, float* __restrict__ values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.z} * r.rows + blockIdx.y;
  if (c < r.columns) values[row * r.columns + c] = padded[row * stride + c];
}

constexpr int threads = 256;

dim3 grid(int columns, const FilterRows& r, int views) {
  return {blocks(columns, threads), static_cast<unsigned>(r.rows), static_cast<unsigned>(views)};
}

}  // namespace

void weigh_and_pad(Stream& stream, const FilterRows& r, int count, const float* values, const int* index,
                   const WeightTables& tables, float* padded) {
  stream.launch("weigh", grid(r.stride() / 2, r, count), dim3(threads), 0, weigh<Integrals>, r, r.stride(),
                Integrals{values}, index, tables, padded);
}

void weigh_and_pad(Stream& stream, const FilterRows& r, int count, const std::uint16_t* counts, const CountTables& c,
                   const int* index, const WeightTables& tables, float* padded) {
  stream.launch("weigh counts", grid(r.stride() / 2, r, count), dim3(threads), 0, weigh<Counts>, r, r.stride(),
                Counts{counts, c}, index, tables, padded);
}

void apply_response(Stream& stream, const FilterRows& r, int count, const float* response, cufftComplex* spectrum) {
  const int half = r.size / 2 + 1;
  stream.launch("ramp", grid(half, r, count), dim3(threads), 0, respond, half, response, spectrum);
}

void crop(Stream& stream, const FilterRows& r, int count, const float* padded, float* values) {
  stream.launch("crop", grid(r.columns, r, count), dim3(threads), 0, cut, r, r.stride(), padded, values);
}

}  // namespace backlit::cuda

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
    const float open = tables.open[pixel], reading = view[pixel] - tables.dark[pixel];
    const float ratio = __fdividef(reading, open);  // 2 ulp
    if (!(open > 0 && reading > 0 && ratio >= FLT_MIN && ratio <= FLT_MAX)) return false;
    *value = -logf(ratio);
    return true;
  }

  /// Rare: not worth the registers that it would take inlined.
  __noinline__ __device__ float repaired(const std::uint16_t* view, int row, int column, const FilterRows& r,
                                         int index) const {
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

/// weight_at() with one reciprocal root in place of a root and a division.
__device__ inline float weight_of(const RowWeight<float>& w, float c) {
  return (w.a0 + w.a1 * c) * rsqrtf(w.q0 + c * (w.q1 + w.q2 * c));
}

/// A column of a pair of rows a thread.
template <class Source>
__global__ void weigh(FilterRows r, Source source, const int* __restrict__ index, WeightTables t,
                      cufftComplex* __restrict__ padded) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, image = blockIdx.z, row = 2 * blockIdx.y;
  if (c >= r.size) return;
  cufftComplex out = {0, 0};
  if (c < r.columns) {
    const int view = index[image];
    const ViewWeights v = t.views[view];
    const RowWeight<float>* w = t.rows + std::int64_t{view} * r.rows + row;
    const float factor = v.gap * t.redundancy[std::int64_t{v.redundancy} * r.columns + c];
    const auto column = static_cast<float>(c);
    out.x = source(image, view, row, c, r) * weight_of(w[0], column) * factor;
    if (row + 1 < r.rows) out.y = source(image, view, row + 1, c, r) * weight_of(w[1], column) * factor;
  }
  padded[(std::int64_t{image} * gridDim.y + blockIdx.y) * r.size + c] = out;
}

__global__ void respond(int size, const float* __restrict__ response, cufftComplex* spectrum) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= size) return;
  cufftComplex& value = spectrum[(std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * size + k];
  const float factor = response[k];
  value = {factor * value.x, factor * value.y};
}

__global__ void cut(FilterRows r, const cufftComplex* __restrict__ padded, float* __restrict__ values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, row = 2 * blockIdx.y;
  if (c >= r.columns) return;
  const cufftComplex two = padded[(std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * r.size + c];
  float* out = values + (std::int64_t{blockIdx.z} * r.rows + row) * r.columns + c;
  out[0] = two.x;
  if (row + 1 < r.rows) out[r.columns] = two.y;
}

constexpr int threads = 256;

dim3 grid(int columns, const FilterRows& r, int views) {
  return {blocks(columns, threads), static_cast<unsigned>(r.pairs()), static_cast<unsigned>(views)};
}

}  // namespace

void weigh_and_pad(Stream& stream, const FilterRows& r, int count, const float* values, const int* index,
                   const WeightTables& tables, cufftComplex* padded) {
  stream.launch("weigh", grid(r.size, r, count), dim3(threads), 0, weigh<Integrals>, r, Integrals{values}, index,
                tables, padded);
}

void weigh_and_pad(Stream& stream, const FilterRows& r, int count, const std::uint16_t* counts, const CountTables& c,
                   const int* index, const WeightTables& tables, cufftComplex* padded) {
  stream.launch("weigh counts", grid(r.size, r, count), dim3(threads), 0, weigh<Counts>, r, Counts{counts, c}, index,
                tables, padded);
}

void apply_response(Stream& stream, const FilterRows& r, int count, const float* response, cufftComplex* spectrum) {
  stream.launch("ramp", grid(r.size, r, count), dim3(threads), 0, respond, r.size, response, spectrum);
}

void crop(Stream& stream, const FilterRows& r, int count, const cufftComplex* padded, float* values) {
  stream.launch("crop", grid(r.columns, r, count), dim3(threads), 0, cut, r, padded, values);
}

}  // namespace backlit::cuda

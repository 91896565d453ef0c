#include "cuda/filter/weigh.cuh"

namespace backlit::cuda {
namespace {

/// One thread per column of a pair of rows.
template <class Source>
__global__ void weigh(FilterRows r, Source source, const int* __restrict__ index, WeightTables t,
                      cufftComplex* __restrict__ padded) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, image = blockIdx.z;
  if (c >= r.size) return;
  const Complex value = WeighedPair<Source>(r, source, index, t, image, blockIdx.y)(c);
  padded[(std::int64_t{image} * gridDim.y + blockIdx.y) * r.size + c] = {value.x, value.y};
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

void weigh_and_pad(Stream& stream, const FilterRows& r, int count, const RowSource& from, const int* index,
                   const WeightTables& tables, cufftComplex* padded) {
  const auto run = [&](const auto& source, auto kernel) {
    stream.launch("weigh", grid(r.size, r, count), dim3(threads), 0, kernel, r, source, index, tables, padded);
  };
  if (from.counts)
    run(Counts{from.counts, from.tables}, weigh<Counts>);
  else
    run(Integrals{from.integrals}, weigh<Integrals>);
}

void apply_response(Stream& stream, const FilterRows& r, int count, const float* response, cufftComplex* spectrum) {
  stream.launch("ramp", grid(r.size, r, count), dim3(threads), 0, respond, r.size, response, spectrum);
}

void crop(Stream& stream, const FilterRows& r, int count, const cufftComplex* padded, float* values) {
  stream.launch("crop", grid(r.columns, r, count), dim3(threads), 0, cut, r, padded, values);
}

}  // namespace backlit::cuda

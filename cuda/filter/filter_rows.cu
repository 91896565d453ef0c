// The filter in one kernel: two rows per block, transformed in shared memory, multiplied and transformed back.
//
// A transform of 256 R values is R-point transforms across the row, then R transforms of 256 = 16 x 16 neighbouring
// values; all in place. Decimation in frequency leaves digit-reversed order, and the inverse transform begins with this
// order, so nothing is sorted (Cooley and Tukey, Math. Comput. 19 (1965) 297; Gentleman and Sande, AFIPS 29 (1966)
// 563). A thread holds 16 values in registers at a time.
#include <cmath>
#include <numbers>

#include "cuda/filter/small_transform.cuh"
#include "cuda/filter/weigh.cuh"

namespace backlit::cuda {
namespace {

/// Index of value i in shared memory. One place is left free after each 16, so that steps of 16 use different banks.
__device__ int place(int i) { return i + i / 16; }

template <int R, class Source>
__global__ void __launch_bounds__(16 * R, 640 / (16 * R))  // threads per multiprocessor
    fused(FilterRows r, Source source, const int* __restrict__ index, WeightTables tables,
          const Complex* __restrict__ roots, const float* __restrict__ response, float* out) {
  constexpr int threads = 16 * R, rounds = (256 + threads - 1) / threads;
  __shared__ Complex s[256 * R + 16 * R];
  const int thread = threadIdx.x, image = blockIdx.y;
  {
    const WeighedPair<Source> weighed(r, source, index, tables, image, blockIdx.x);
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      const int b = round * threads + thread;
      if (256 % threads != 0 && b >= 256) break;
      Complex v[R];
#pragma unroll
      for (int j = 0; j < R; ++j) v[j] = weighed(b + 256 * j);
      small_transform<R, -1>(v);
      s[place(b)] = v[0];
#pragma unroll
      for (int k = 1; k < R; ++k) s[place(256 * k + b)] = v[k] * conjugate(roots[256 * k + b]);
    }
  }
  __syncthreads();
  // 16 threads for 256 values; they belong to one warp.
  const int c = thread % 16, base = 256 * (thread / 16);
  const Complex* turns = roots + 256 * R;
  Complex v[16];
#pragma unroll
  for (int j = 0; j < 16; ++j) v[j] = s[place(base + 16 * j + c)];
  small_transform<16, -1>(v);
#pragma unroll
  for (int k = 0; k < 16; ++k) s[place(base + 16 * k + c)] = v[k] * conjugate(turns[16 * k + c]);
  __syncwarp();
#pragma unroll
  for (int j = 0; j < 16; ++j) v[j] = s[place(base + 16 * c + j)];
  small_transform<16, -1>(v);
#pragma unroll
  for (int m = 0; m < 16; ++m) v[m] = response[m * threads + thread] * v[m];
  small_transform<16, 1>(v);
#pragma unroll
  for (int j = 0; j < 16; ++j) s[place(base + 16 * c + j)] = v[j];
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k] = s[place(base + 16 * k + c)] * turns[16 * k + c];
  small_transform<16, 1>(v);
#pragma unroll
  for (int j = 0; j < 16; ++j) s[place(base + 16 * j + c)] = v[j];
  __syncthreads();
  float* first = out + (std::int64_t{image} * r.rows + 2 * blockIdx.x) * r.columns;
  const bool two = 2 * blockIdx.x + 1 < static_cast<unsigned>(r.rows);
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const int b = round * threads + thread;
    if (256 % threads != 0 && b >= 256) break;
    Complex w[R];
    w[0] = s[place(b)];
#pragma unroll
    for (int k = 1; k < R; ++k) w[k] = s[place(256 * k + b)] * roots[256 * k + b];
    small_transform<R, 1>(w);
#pragma unroll
    for (int j = 0; j < R; ++j)
      if (const int column = b + 256 * j; column < r.columns) {
        first[column] = w[j].x;
        if (two) first[r.columns + column] = w[j].y;
      }
  }
}

constexpr int offered[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16};

template <class Work>
void with_factor(int factor, Work&& work) {
  const auto chosen = [&]<int... i>(std::integer_sequence<int, i...>) {
    ((factor == offered[i] ? work(std::integral_constant<int, offered[i]>()) : void()), ...);
  };
  chosen(std::make_integer_sequence<int, std::size(offered)>());
}

}  // namespace

int fused_size(std::int64_t columns) {
  for (int factor : offered)
    if (256 * factor >= 2 * columns - 1) return 256 * factor;
  return 0;
}

FusedTables fused_tables(const std::vector<float>& response) {
  const auto size = static_cast<int>(response.size()), factor = size / 256, threads = 16 * factor;
  const auto root = [](int k, int n) {
    const double angle = 2 * std::numbers::pi * (k % n) / n;
    return Complex{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  };
  FusedTables t;
  for (int k = 0; k < factor; ++k)
    for (int b = 0; b < 256; ++b) t.roots.push_back(root(k * b, size));
  for (int k = 0; k < 16; ++k)
    for (int c = 0; c < 16; ++c) t.roots.push_back(root(k * c, 256));
  // Thread c of transform q's threads holds frequencies q + factor (c + 16 m).
  for (int m = 0; m < 16; ++m)
    for (int thread = 0; thread < threads; ++thread)
      t.response.push_back(response[static_cast<std::size_t>(thread / 16 + factor * (thread % 16 + 16 * m))]);
  return t;
}

void filter_rows(Stream& stream, const FilterRows& r, int count, const RowSource& from, const int* index,
                 const WeightTables& tables, const Complex* roots, const float* response, float* out) {
  with_factor(r.size / 256, [&](auto factor) {
    constexpr int R = factor;
    const dim3 grid(static_cast<unsigned>(r.pairs()), static_cast<unsigned>(count));
    const auto run = [&](const auto& source, auto kernel) {
      stream.launch("filter", grid, dim3(16 * R), 0, kernel, r, source, index, tables, roots, response, out);
    };
    if (from.counts)
      run(Counts{from.counts, from.tables}, fused<R, Counts>);
    else
      run(Integrals{from.integrals}, fused<R, Integrals>);
  });
}

}  // namespace backlit::cuda

#include "preprocess/corrections/phase.hpp"

#include <cufft.h>

#include "cuda/corrections/list.hpp"
#include "cuda/shared/pool_buffer.hpp"

namespace backlit::cuda {
namespace {

/// Cosine transforms by Fourier transforms of as many values (Makhoul, IEEE Trans. ASSP 28 (1980) 27): values with even
/// numbers come first, those with odd numbers follow backwards.
__device__ int place(int i, int n) { return i % 2 == 0 ? i / 2 : n - 1 - i / 2; }

__global__ void transmissions(Images views, float* permuted) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), row = static_cast<int>(blockIdx.y);
  if (column >= views.columns) return;
  permuted[blockIdx.z * views.pixels() + std::int64_t{place(row, views.rows)} * views.columns +
           place(column, views.columns)] = expf(-views.image(blockIdx.z)[std::int64_t{row} * views.columns + column]);
}

__global__ void line_integrals(const float* permuted, Images views) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), row = static_cast<int>(blockIdx.y);
  if (column >= views.columns) return;
  const float passed = permuted[blockIdx.z * views.pixels() + std::int64_t{place(row, views.rows)} * views.columns +
                                place(column, views.columns)];
  views.image(blockIdx.z)[std::int64_t{row} * views.columns + column] = -logf(fmaxf(passed, least_transmission));
}

using Coefficient = cufftComplex;
__device__ Coefficient operator*(Coefficient a, Coefficient b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ Coefficient operator+(Coefficient a, Coefficient b) { return {a.x + b.x, a.y + b.y}; }
__device__ Coefficient operator-(Coefficient a, Coefficient b) { return {a.x - b.x, a.y - b.y}; }
__device__ Coefficient conj(Coefficient a) { return {a.x, -a.y}; }
__device__ Coefficient times_i(Coefficient a) { return {-a.y, a.x}; }

/// exp(-i pi k / (2 n)).
__device__ Coefficient turn(int k, int n) {
  Coefficient w;
  sincospif(-static_cast<float>(k) / static_cast<float>(2 * n), &w.y, &w.x);
  return w;
}

/// Multiplies the cosine transform's coefficients (i, j), (columns - i, j), (i, rows - j) and (columns - i, rows - j)
/// by their factors. Two values of the spectrum, of rows j and rows - j, hold all four.
__global__ void filter(Coefficient* spectrum, int columns, int rows, Propagation propagation) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), j = static_cast<int>(blockIdx.y),
            half = columns / 2 + 1, other = j > 0 ? rows - j : 0;
  if (i >= half) return;
  Coefficient* const image = spectrum + std::int64_t{blockIdx.z} * rows * half;
  Coefficient &p = image[std::int64_t{j} * half + i], &q = image[std::int64_t{other} * half + i];
  const Coefficient u = turn(i, columns), v = turn(j, rows), r = u * p, s = conj(u * q);
  const float scale = 1 / (static_cast<float>(columns) * static_cast<float>(rows));
  const auto factor = [&](int x, int y) { return scale * paganin_factor<float>(x, y, columns, rows, propagation); };
  // v (r + s) = (C(i, j) - i C(i, rows - j)) / 2, and v i (r - s) the same of columns - i.
  Coefficient near = v * (r + s), far = v * times_i(r - s);
  near = {factor(i, j) * near.x, factor(i, rows - j) * near.y};
  far = {factor(columns - i, j) * far.x, factor(columns - i, rows - j) * far.y};
  near = conj(v) * near;
  far = times_i(conj(v) * far);
  const Coefficient sum = near - far, difference = near + far;  // 2 r and 2 s
  const Coefficient back = conj(u);
  p = back * Coefficient{0.5f * sum.x, 0.5f * sum.y};
  if (other != j) q = back * conj(Coefficient{0.5f * difference.x, 0.5f * difference.y});
}

void check_fft(cufftResult status) {
  if (status == CUFFT_SUCCESS) return;
  throw DeviceFailure("cuFFT", "phase retrieval failed with code " + std::to_string(static_cast<int>(status)),
                      "set `gpu_memory` lower, or correct on the host (`backend` cpu)");
}

/// Transforms of several images at once.
class Plan {
 public:
  Plan(const Images& size, std::int64_t images, cufftType type, cudaStream_t stream) {
    int sides[] = {size.rows, size.columns};
    const int rank = size.rows > 1 ? 2 : 1;  // closely packed, a row of the spectrum has columns / 2 + 1 numbers
    check_fft(
        cufftPlanMany(&plan_, rank, sides + 2 - rank, nullptr, 1, 0, nullptr, 1, 0, type, static_cast<int>(images)));
    check_fft(cufftSetStream(plan_, stream));
  }
  ~Plan() { cufftDestroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  operator cufftHandle() const { return plan_; }

 private:
  cufftHandle plan_ = 0;
};

}  // namespace

Done retrieve_phase(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  const Propagation propagation = propagation_of(views.scan(), o);
  const std::int64_t bytes = 4 * all.pixels(), at_once = cached(bytes, all.count), half = all.columns / 2 + 1;
  PoolBuffer<float> permuted(stream, at_once * all.pixels());
  PoolBuffer<Coefficient> spectrum(stream, at_once * all.rows * half);
  const Plan forward(all, at_once, CUFFT_R2C, stream), back(all, at_once, CUFFT_C2R, stream);
  BACKLIT_CUDA(cudaMemsetAsync(permuted.data(), 0, permuted.bytes(), stream));  // plans transform all that has room
  watch.begin("phase", all.count, "views");
  for_cached(bytes, all.count, [&](std::int64_t first, std::int64_t n) {
    const Images some = all.some(first, n);
    const auto images = static_cast<unsigned>(n);
    const dim3 pixels(blocks(all.columns, block_threads), static_cast<unsigned>(all.rows), images),
        numbers(blocks(half, block_threads), static_cast<unsigned>(all.rows / 2 + 1), images);
    stream.launch("phase", pixels, dim3(block_threads), 0, transmissions, some, permuted.data());
    check_fft(cufftExecR2C(forward, permuted.data(), spectrum.data()));
    stream.launch("phase", numbers, dim3(block_threads), 0, filter, spectrum.data(), all.columns, all.rows,
                  propagation);
    check_fft(cufftExecC2R(back, spectrum.data(), permuted.data()));
    stream.launch("phase", pixels, dim3(block_threads), 0, line_integrals, permuted.data(), some);
    watch.advance(n);
  });
  stream.wait();  // before the plans end
  watch.end();
  return spread_text(propagation);
}

}  // namespace backlit::cuda

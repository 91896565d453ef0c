#include "preprocess/corrections/phase.hpp"

#include <cufft.h>

#include "cuda/corrections/list.hpp"
#include "cuda/shared/pool_buffer.hpp"

namespace backlit::cuda {
namespace {

constexpr int threads = 256;

/// Mirrored transmissions.
__global__ void transmissions(Images views, MirroredImage size, float* padded) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size.width) return;
  const std::int64_t row = MirroredImage::folded(blockIdx.y, size.rows, size.height),
                     column = MirroredImage::folded(i, size.columns, size.width);
  padded[(blockIdx.z * size.height + blockIdx.y) * size.width + i] =
      expf(-views.image(blockIdx.z)[row * size.columns + column]);
}

__global__ void filter(cufftComplex* spectrum, MirroredImage size, Propagation propagation) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, columns = size.width / 2 + 1;
  if (i >= columns) return;
  cufftComplex& value = spectrum[(blockIdx.z * size.height + blockIdx.y) * columns + i];
  const float factor = size.factor(i, blockIdx.y, propagation);
  value = {value.x * factor, value.y * factor};
}

__global__ void line_integrals(const float* padded, MirroredImage size, Images views) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= views.columns) return;
  const float passed = padded[(blockIdx.z * size.height + blockIdx.y) * size.width + column];
  views.image(blockIdx.z)[std::int64_t{blockIdx.y} * views.columns + column] =
      -logf(fmaxf(passed, least_transmission));
}

void check_fft(cufftResult status) {
  if (status == CUFFT_SUCCESS) return;
  throw DeviceFailure("cuFFT", "phase retrieval failed with code " + std::to_string(static_cast<int>(status)),
                      "is the device's memory full?");
}

/// Transforms of several mirrored images at once.
class Plan {
 public:
  Plan(const MirroredImage& size, std::int64_t images, cufftType type, cudaStream_t stream) {
    int sides[] = {static_cast<int>(size.height), static_cast<int>(size.width)};
    const int rank = size.height > 1 ? 2 : 1;  // closely packed, with a row of width / 2 + 1 complex numbers
    check_fft(cufftPlanMany(&plan_, rank, sides + 2 - rank, nullptr, 1, 0, nullptr, 1, 0, type,
                            static_cast<int>(images)));
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
  const MirroredImage size(views.scan().detector);
  const std::int64_t pixels = size.width * size.height, half = (size.width / 2 + 1) * size.height;
  const std::int64_t bytes = 4 * pixels, at_once = cached(bytes, all.count);
  PoolBuffer<float> padded(stream, at_once * pixels);
  PoolBuffer<cufftComplex> spectrum(stream, at_once * half);
  const Plan forward(size, at_once, CUFFT_R2C, stream), back(size, at_once, CUFFT_C2R, stream);
  BACKLIT_CUDA(cudaMemsetAsync(padded.data(), 0, padded.bytes(), stream));  // plans transform all that there is room for
  watch.begin("phase", all.count, "views");
  for_cached(bytes, all.count, [&](std::int64_t first, std::int64_t n) {
    const auto height = static_cast<unsigned>(size.height), images = static_cast<unsigned>(n);
    stream.launch("phase", dim3(blocks(size.width, threads), height, images), dim3(threads), 0, transmissions,
                  all.some(first, n), size, padded.data());
    check_fft(cufftExecR2C(forward, padded.data(), spectrum.data()));
    stream.launch("phase", dim3(blocks(size.width / 2 + 1, threads), height, images), dim3(threads), 0, filter,
                  spectrum.data(), size, propagation);
    check_fft(cufftExecC2R(back, spectrum.data(), padded.data()));
    stream.launch("phase", dim3(blocks(all.columns, threads), static_cast<unsigned>(all.rows), images), dim3(threads),
                  0, line_integrals, padded.data(), size, all.some(first, n));
    watch.advance(n);
  });
  stream.wait();  // before the plans end
  watch.end();
  return spread_text(propagation);
}

}  // namespace backlit::cuda

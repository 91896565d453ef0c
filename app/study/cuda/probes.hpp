// CUDA's ceilings: kernels that do one thing.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <utility>
#include <vector>

#include "cuda/device/launch.hpp"
#include "study/probes/device_probes.hpp"

namespace backlit::cuda {

class CudaBackend;

class CudaProbes final : public ProbedDevice {
 public:
  /// `backend` must outlive this.
  explicit CudaProbes(CudaBackend& backend) : backend_(backend) {}

  std::vector<DeviceProbe> probes(std::int64_t copied_bytes) override;
  /// Name, processors, clock (as named, and as counted while one warp runs), memory, versions.
  std::vector<std::pair<std::string, std::string>> facts() override;

 private:
  CudaBackend& backend_;
};

/// A square of threads in Morton order, `side` along each; every thread fetches `fetches_a_thread` texels, neighbours
/// starting `between` texels apart, of `size` x `size` texels in four layers. Sums are stored where the compiler cannot
/// know that nobody reads them.
struct FetchProbe {
  cudaTextureObject_t texture;
  int side, size;
  float between;
  float* sums;  ///< side x side
};
inline constexpr int fetches_a_thread = 256;
void probe_bilinear(Stream&, const FetchProbe&, int channels);
/// From a 3-D texture of size^3.
void probe_trilinear(Stream&, const FetchProbe&);

/// What a texture gives between the first four texels of layer 0: [steps][steps], 1 / steps apart from (0, 0) on.
void probe_filter(Stream&, cudaTextureObject_t, int steps, float* values);

/// Independent chains of multiply and add in each of side x side threads; 16 x fetches_a_thread operations each.
void probe_fma(Stream&, int side, float* sums);

/// A warp that counts the processor's cycles for `nanoseconds`: cycles go to counts[0], nanoseconds to counts[1].
void probe_clock(Stream&, long long nanoseconds, long long* counts);

}  // namespace backlit::cuda

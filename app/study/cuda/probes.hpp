// CUDA's ceilings: kernels that each exercise one unit of the device.
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
  /// `backend` must outlive this object.
  explicit CudaProbes(CudaBackend& backend) : backend_(backend) {}

  std::vector<DeviceProbe> probes(std::int64_t copied_bytes) override;
  /// Name, processors, clock (nominal, and measured while one warp runs), memory, versions.
  std::vector<std::pair<std::string, std::string>> facts() override;

 private:
  CudaBackend& backend_;
};

/// A square of threads in Morton order with `side` threads on each side. Every thread fetches `fetches_a_thread` texels
/// of `size` x `size` texels in four layers; neighbours start `between` texels apart. The sums are stored, so that the
/// compiler cannot drop the fetches.
struct FetchProbe {
  cudaTextureObject_t texture;
  int side, size;
  float between;
  float* sums;  ///< side x side
};
inline constexpr int fetches_a_thread = 256;
void probe_bilinear(Stream&, const FetchProbe&, int channels);
/// Fetches from a 3-D texture of size^3.
void probe_trilinear(Stream&, const FetchProbe&);

/// Values of a texture between the first four texels of layer 0: [steps][steps], 1 / steps apart, beginning at (0, 0).
void probe_filter(Stream&, cudaTextureObject_t, int steps, float* values);

/// Independent chains of multiply and add in each of side x side threads; 16 x fetches_a_thread operations each.
void probe_fma(Stream&, int side, float* sums);

/// A warp counts the processor's cycles for `nanoseconds`: counts[0] receives cycles, counts[1] nanoseconds.
void probe_clock(Stream&, long long nanoseconds, long long* counts);

}  // namespace backlit::cuda

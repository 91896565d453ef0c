#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"

namespace backlit::cuda {
namespace {

/// Weights of a line of n values `stride` apart.
struct Line {
  const float* weights;
  int reach, n;
  std::int64_t stride;
};

template <int axis>
__global__ void __launch_bounds__(256) blur_kernel(Line line, Extents extents, const float* from, float* to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x >= extents.size[0] || y >= extents.size[1]) return;
  const int i = axis == 0 ? x : axis == 1 ? y : z;
  const std::int64_t at = (std::int64_t{z} * extents.size[1] + y) * extents.size[0] + x;
  const float* first = from + at - i * line.stride;
  to[at] = blurred<float>(
      i, line.n, line.reach, [&](int k) { return __ldg(line.weights + k); },
      [&](int v) { return __ldg(first + v * line.stride); });
}

class CudaBlur final : public Blur {
 public:
  CudaBlur(Stream& stream, const BlurWeights& weights) : stream_(stream) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::vector<float> single(weights[axis].begin(), weights[axis].end());
      weights_[axis] = DeviceBuffer<float>(static_cast<std::int64_t>(single.size()));
      BACKLIT_CUDA(cudaMemcpyAsync(weights_[axis].data(), single.data(), weights_[axis].bytes(), cudaMemcpyHostToDevice,
                                   stream_));
    }
  }

  void along(int axis, const DeviceArray& from, DeviceArray& to) override {
    const ArrayShape s = from.shape();
    if (to.shape() != s) throw Failure("cuda", "arrays of different shapes do not go together");
    const Extents extents = extents_of(s);
    const std::int64_t strides[3] = {1, s.n0, s.n0 * s.n1};
    const DeviceBuffer<float>& weights = weights_[axis];
    const Line line{weights.data(), static_cast<int>(weights.count()) - 1, extents.size[axis], strides[axis]};
    const dim3 block(32, 8), grid(blocks(s.n0, 32), blocks(s.n1, 8), static_cast<unsigned>(s.n2));
    const auto kernel = axis == 0 ? blur_kernel<0> : axis == 1 ? blur_kernel<1> : blur_kernel<2>;
    stream_.launch("blur", grid, block, 0, kernel, line, extents, ours(from).data(), ours(to).data());
  }

 private:
  Stream& stream_;
  DeviceBuffer<float> weights_[3];
};

}  // namespace

std::unique_ptr<Blur> CudaBackend::make_blur(const BlurWeights& weights) {
  activate();
  return std::make_unique<CudaBlur>(stream_, weights);
}

}  // namespace backlit::cuda

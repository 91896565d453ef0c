#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"

namespace backlit::cuda {
namespace {

/// A volume as x(i, j, k).
struct Values {
  const float* values;
  std::int64_t row, slice;
  __device__ float operator()(int i, int j, int k) const { return values[k * slice + j * row + i]; }
};

struct Components {
  float* z[3];
};

/// Arguments of descend(); null where one is missing.
struct Step {
  const float *from, *weights, *gradient;
  float *before, *to;
  float low, high;
};

__global__ void __launch_bounds__(256)
    ascend_voxel(Differences d, Extents extents, Values x, float step, float radius, Components to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= extents.size[0] || j >= extents.size[1]) return;
  const std::int64_t at = k * x.slice + j * x.row + i;
  float z[3];
  for (int n = 0; n < 3; ++n) z[n] = to.z[n][at] + step * difference<float>(d, n, extents.size, i, j, k, x);
  shorten(z[0], z[1], z[2], radius);
  for (int n = 0; n < 3; ++n) to.z[n][at] = z[n];
}

template <bool weighted>
__global__ void __launch_bounds__(256)
    descend_voxel(Differences d, Extents extents, Values a, Values b, Values c, Step step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= extents.size[0] || j >= extents.size[1]) return;
  const std::int64_t at = k * a.slice + j * a.row + i;
  const float now = divergence<float>(d, i, j, k, a, b, c);
  float change = now;
  if (weighted) {
    change = step.weights[at] * (step.gradient[at] + 2 * now - step.before[at]);
    step.before[at] = now;
  }
  step.to[at] = fminf(fmaxf(step.from[at] - change, step.low), step.high);
}

/// Throws Failure unless the array has the shape.
const float* checked(const DeviceArray& a, const ArrayShape& s) {
  if (a.shape() != s) throw Failure("cuda", "arrays of different shapes do not go together");
  return ours(a).data();
}
float* checked(DeviceArray& a, const ArrayShape& s) {
  checked(static_cast<const DeviceArray&>(a), s);
  return ours(a).data();
}

constexpr dim3 block{32, 8};
dim3 grid_of(const ArrayShape& s) {
  return dim3(blocks(s.n0, block.x), blocks(s.n1, block.y), static_cast<unsigned>(s.n2));
}

}  // namespace

void CudaBackend::ascend(const Differences& d, const DeviceArray& x, float step, float radius, const Field& z) {
  const ArrayShape s = x.shape();
  const Values from{checked(x, s), s.n0, s.n0 * s.n1};
  const Components to{{checked(*z[0], s), checked(*z[1], s), checked(*z[2], s)}};
  stream_.launch("total variation, dual", grid_of(s), block, 0, ascend_voxel, d, extents_of(s), from, step, radius, to);
}

void CudaBackend::descend(const Differences& d, const Field& z, const Descent& step) {
  const ArrayShape s = step.from.shape();
  const auto volume = [&](const DeviceArray& a) { return Values{checked(a, s), s.n0, s.n0 * s.n1}; };
  const Values a = volume(*z[0]), b = volume(*z[1]), c = volume(*z[2]);
  Step device{checked(step.from, s), nullptr, nullptr, nullptr, checked(step.to, s), step.low, step.high};
  if (step.weights) {
    device.weights = checked(*step.weights, s);
    device.gradient = checked(*step.gradient, s);
    device.before = checked(*step.before, s);
  }
  stream_.launch("total variation, primal", grid_of(s), block, 0,
                 step.weights ? descend_voxel<true> : descend_voxel<false>, d, extents_of(s), a, b, c, device);
}

}  // namespace backlit::cuda

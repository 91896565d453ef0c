#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"

namespace backlit::cuda {
namespace {

struct Values {
  const float* values;
  std::int64_t row, slice;
  __device__ float operator()(int i, int j, int k) const { return __ldg(values + k * slice + j * row + i); }
};

struct Extents {
  int size[3];
};

__global__ void __launch_bounds__(256)
    row_of_stiffness(NeighbourPenalty penalty, Extents extents, Values x, Values d, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= extents.size[0] || j >= extents.size[1]) return;
  y[k * x.slice + j * x.row + i] = stiffness_row<float>(penalty, extents.size, i, j, k, x, d);
}

}  // namespace

void CudaBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                            DeviceArray& y) {
  const ArrayShape s = x.shape();
  if (d.shape() != s || y.shape() != s) throw Failure("cuda", "arrays of different shapes do not go together");
  const Extents extents{{static_cast<int>(s.n0), static_cast<int>(s.n1), static_cast<int>(s.n2)}};
  const dim3 block(32, 8), grid(blocks(s.n0, 32), blocks(s.n1, 8), static_cast<unsigned>(s.n2));
  stream_.launch("stiffness", grid, block, 0, row_of_stiffness, penalty, extents,
                 Values{ours(x).data(), s.n0, s.n0 * s.n1}, Values{ours(d).data(), s.n0, s.n0 * s.n1}, ours(y).data());
}

}  // namespace backlit::cuda

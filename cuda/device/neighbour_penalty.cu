#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"

namespace backlit::cuda {
namespace {

/// A volume as x(i, j, k) that no kernel writes meanwhile.
struct ConstantValues {
  const float* values;
  std::int64_t row, slice;
  __device__ float operator()(int i, int j, int k) const { return __ldg(values + k * slice + j * row + i); }
};

__global__ void __launch_bounds__(256)
    row_of_stiffness(NeighbourPenalty penalty, Extents extents, ConstantValues x, ConstantValues d, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= extents.size[0] || j >= extents.size[1]) return;
  y[k * x.slice + j * x.row + i] = stiffness_row<float>(penalty, extents.size, i, j, k, x, d);
}

constexpr int column = 32;  ///< slices that a thread goes through

/// The weight omega of q-GGMRF. What all voxels share is computed once.
struct EdgeWeight {
  float inverse_c, exponent, ratio, pole;  ///< 1 / c; p - q; q / p; 2 - p
  __device__ float operator()(float t) const {
    float s = fabsf(t) * inverse_c;
    if (pole > 0) s = fmaxf(s, 1e-3f);
    const float edge = power(s, exponent), value = __fdividef(1 + ratio * edge, (1 + edge) * (1 + edge));
    return pole > 0 ? __fdividef(value, power(s, pole)) : value;
  }
};

/// The nine voxels of a slice around a column, index 3 (y + 1) + x + 1. Outside the volume: any value.
struct Plane {
  float at[9];
};

/// Which of the nine lie in the volume.
struct Inside {
  bool x[3], y[3];
};

__device__ Plane load(const ConstantValues& v, const Inside& in, int i, int j, int k) {
  Plane plane;
#pragma unroll
  for (int b = 0; b < 3; ++b)
#pragma unroll
    for (int a = 0; a < 3; ++a) plane.at[3 * b + a] = v(in.x[a] ? i + a - 1 : i, in.y[b] ? j + b - 1 : j, k);
  return plane;
}

/// Sum over the nine neighbours of a plane, or eight where it is the voxel's own.
template <int up>
__device__ float pull(const NeighbourPenalty& penalty, const EdgeWeight& omega, const Inside& in, const Plane& x,
                      const Plane& d, float x0, float d0) {
  float sum = 0;
#pragma unroll
  for (int b = 0; b < 3; ++b)
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      if (up == 0 && a == 1 && b == 1) continue;
      const float share = penalty.share[(a != 1) + 2 * (b != 1) + 4 * (up != 0)];
      const float force = share * omega(x0 - x.at[3 * b + a]) * (d0 - d.at[3 * b + a]);
      sum += in.x[a] && in.y[b] ? force : 0.0f;
    }
  return sum;
}

/// A thread goes up a column of voxels and keeps the slices below, at and above it: a voxel is loaded nine times, not
/// 27. `own`: x and d are one array.
template <bool own>
__global__ void __launch_bounds__(256) pull_of_neighbours(NeighbourPenalty penalty, EdgeWeight omega, Extents extents,
                                                          ConstantValues x, ConstantValues d, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= extents.size[0] || j >= extents.size[1]) return;
  const int first = blockIdx.z * column, end = min(first + column, extents.size[2]);
  const Inside in{{i > 0, true, i + 1 < extents.size[0]}, {j > 0, true, j + 1 < extents.size[1]}};
  Plane x_below{}, d_below{}, x_here = load(x, in, i, j, first), d_here = own ? x_here : load(d, in, i, j, first);
  if (first > 0) {
    x_below = load(x, in, i, j, first - 1);
    d_below = own ? x_below : load(d, in, i, j, first - 1);
  }
  for (int k = first; k < end; ++k) {
    const float x0 = x_here.at[4], d0 = d_here.at[4];
    float sum = pull<0>(penalty, omega, in, x_here, d_here, x0, d0);
    if (k > 0) sum += pull<-1>(penalty, omega, in, x_below, d_below, x0, d0);
    x_below = x_here;
    d_below = d_here;
    if (k + 1 < extents.size[2]) {
      x_here = load(x, in, i, j, k + 1);
      d_here = own ? x_here : load(d, in, i, j, k + 1);
      sum += pull<1>(penalty, omega, in, x_here, d_here, x0, d0);
    }
    y[k * x.slice + j * x.row + i] = sum;
  }
}

}  // namespace

void CudaBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                            DeviceArray& y) {
  const ArrayShape s = x.shape();
  if (d.shape() != s || y.shape() != s) throw Failure("cuda", "arrays of different shapes do not go together");
  const Extents extents = extents_of(s);
  const ConstantValues at{ours(x).data(), s.n0, s.n0 * s.n1}, along{ours(d).data(), s.n0, s.n0 * s.n1};
  const dim3 block(32, 8);
  dim3 grid(blocks(s.n0, 32), blocks(s.n1, 8), static_cast<unsigned>(s.n2));
  if (penalty.kind == NeighbourPenalty::Kind::tv)
    return stream_.launch("stiffness", grid, block, 0, row_of_stiffness, penalty, extents, at, along, ours(y).data());
  grid.z = blocks(s.n2, column);
  const EdgeWeight omega{1 / penalty.c, penalty.p - penalty.q, penalty.q / penalty.p, 2 - penalty.p};
  stream_.launch("stiffness", grid, block, 0, &x == &d ? pull_of_neighbours<true> : pull_of_neighbours<false>, penalty,
                 omega, extents, at, along, ours(y).data());
}

}  // namespace backlit::cuda

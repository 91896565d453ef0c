// Ray driven: what a view's rays lack, from samples of the volume as it stands.
#include "cuda/sart_in_place/sample.cuh"
#include "projectors/sart_in_place/unit_steps.hpp"

namespace backlit::cuda {
namespace {

/// A block has 32 rays of a row, and each of its warps takes every 8th sample of them: one view alone has too few rays
/// for the device, and so the block's warps are in neighbouring slices at any time, which the caches then hold.
constexpr int block_columns = 32, shares = 8;

struct Sums {
  float value, covered;
};

/// Samples first, first + shares, ... of a ray.
template <Representation R>
__device__ inline Sums walk(const SartVolume& volume, const UnitSteps<float>& s, int first) {
  Sums sum{};
#pragma unroll 4
  for (int n = first; n <= s.last; n += shares) {
    const float u = fmaf(n, s.du, s.u), v = fmaf(n, s.dv, s.v), w = fmaf(n, s.dw, s.w);
    sum.value += sample<R>(volume, u, v, w);
    sum.covered += coverage(u, volume.nx) * coverage(v, volume.ny) * coverage(w, volume.nz);
  }
  return sum;
}

/// Adds over the block's warps; the first gets the sums.
__device__ inline Sums join_shares(Sums own) {
  __shared__ Sums part[shares][block_columns];
  part[threadIdx.y][threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.y > 0) return own;
  for (int p = 1; p < shares; ++p) {
    own.value += part[p][threadIdx.x].value;
    own.covered += part[p][threadIdx.x].covered;
  }
  return own;
}

template <Representation R>
__global__ void __launch_bounds__(32 * 8)
    forward(__grid_constant__ const SartVolume volume, __grid_constant__ const SartView view, float* squares) {
  const int column = blockIdx.x * block_columns + threadIdx.x, row = blockIdx.y;
  const bool exists = column < view.columns;
  const UnitSteps<float> s = unit_steps(make_ray(view.frame, static_cast<float>(column), static_cast<float>(row)),
                                        volume.nx, volume.ny, volume.nz);
  Sums sum{};
  if (exists) sum = walk<R>(volume, s, s.first + static_cast<int>(threadIdx.y));
  sum = join_shares(sum);
  if (threadIdx.y > 0) return;
  float lack = 0;
  if (exists) {
    const float measured = view.measured[std::int64_t{row} * view.columns + column];
    lack = fmaf(-sum.value, s.length, measured);
    view.corrections[row * view.stride + column] = ray_correction(measured, sum.value, sum.covered, s.length);
  }
  float square = lack * lack;
  for (int d = 16; d > 0; d /= 2) square += __shfl_xor_sync(~0u, square, d);
  if (threadIdx.x == 0) squares[blockIdx.y * gridDim.x + blockIdx.x] += square;
}

dim3 forward_grid(int columns, int rows) { return {blocks(columns, block_columns), static_cast<unsigned>(rows)}; }

template <Representation R>
void start(Stream& stream, const SartVolume& volume, const SartView& view, float* squares) {
  stream.launch("sart forward", forward_grid(view.columns, view.rows), dim3(block_columns, shares), 0, forward<R>,
                volume, view, squares);
}

}  // namespace

int correction_blocks(int columns, int rows) {
  const dim3 grid = forward_grid(columns, rows);
  return static_cast<int>(grid.x * grid.y);
}

void find_corrections(Stream& stream, Representation r, const SartVolume& volume, const SartView& view,
                      float* squares) {
  switch (r) {
    case Representation::texture3d:
    case Representation::surface3d:  // rays see no difference
      return start<Representation::texture3d>(stream, volume, view, squares);
    case Representation::array2d:
      return start<Representation::array2d>(stream, volume, view, squares);
    case Representation::pitch2d:
      return start<Representation::pitch2d>(stream, volume, view, squares);
  }
}

}  // namespace backlit::cuda

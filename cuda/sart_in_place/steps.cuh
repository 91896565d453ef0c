// The steps of SART in place for any representation of the volume: a struct with nx, ny and nz, and on the device
// sample(u, v, w) (trilinear, in voxel indices, zero outside), load(i, j, k) and store(i, j, k, value).
// Arithmetic: projectors/sart_in_place/unit_steps.hpp.
#pragma once

#include "cuda/sart_in_place/device_volume.hpp"
#include "cuda/shared/warp.cuh"
#include "projectors/sart_in_place/unit_steps.hpp"

namespace backlit::cuda {
namespace {

// Ray driven: the corrections of a view's rays, from samples of the present volume.

/// A block has 32 rays of a row, and each of its warps takes every 8th sample of them. One view has too few rays for
/// the device. Also, the block's warps are in neighbouring slices at any time, so caches hold these.
constexpr int block_columns = 32, shares = 8;

struct Sums {
  float value, covered;
};

/// Samples first, first + shares, ... of a ray.
template <class Volume>
__device__ inline Sums walk(const Volume& volume, const UnitSteps<float>& s, int first) {
  Sums sum{};
#pragma unroll 4
  for (int n = first; n <= s.last; n += shares) {
    const float u = fmaf(n, s.du, s.u), v = fmaf(n, s.dv, s.v), w = fmaf(n, s.dw, s.w);
    sum.value += volume.sample(u, v, w);
    sum.covered += coverage(u, volume.nx) * coverage(v, volume.ny) * coverage(w, volume.nz);
  }
  return sum;
}

/// Sums over the block's warps; the first warp gets the sums.
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

template <class Volume>
__global__ void __launch_bounds__(32 * 8)
    forward(__grid_constant__ const Volume volume, __grid_constant__ const SartView view, float* squares) {
  const int column = blockIdx.x * block_columns + threadIdx.x, row = blockIdx.y;
  const bool exists = column < view.columns;
  const UnitSteps<float> s = unit_steps(make_ray(view.frame, static_cast<float>(column), static_cast<float>(row)),
                                        volume.nx, volume.ny, volume.nz);
  Sums sum{};
  if (exists) sum = walk(volume, s, s.first + static_cast<int>(threadIdx.y));
  sum = join_shares(sum);
  if (threadIdx.y > 0) return;
  float lack = 0;
  if (exists) {
    const float measured = view.measured[std::int64_t{row} * view.columns + column];
    lack = fmaf(-sum.value, s.length, measured);
    view.corrections[row * view.stride + column] = ray_correction(measured, sum.value, sum.covered, s.length);
  }
  const float square = warp_sum(lack * lack);
  if (threadIdx.x == 0) squares[blockIdx.y * gridDim.x + blockIdx.x] += square;
}

dim3 forward_grid(int columns, int rows) { return {blocks(columns, block_columns), static_cast<unsigned>(rows)}; }

template <class Volume>
void start_forward(Stream& stream, const Volume& volume, const SartView& view, float* squares) {
  stream.launch("sart forward", forward_grid(view.columns, view.rows), dim3(block_columns, shares), 0, forward<Volume>,
                volume, view, squares);
}

// Voxel driven: every voxel takes its part of a view's corrections, in place.

/// Voxels of a column per thread: independent loads keep device memory busy.
constexpr int run_length = 8;

/// The bilinear value of the corrections at a voxel's position; 0 beside the detector and behind the source.
template <bool flat>
__device__ inline float correction_at(const SartView& view, float i, float j, float k) {
  const ViewMap<float>& m = view.map;
  if constexpr (flat) {
    const float a = fmaf(m.a[0], i, fmaf(m.a[1], j, fmaf(m.a[2], k, m.a[3])));
    const float b = fmaf(m.b[0], i, fmaf(m.b[1], j, fmaf(m.b[2], k, m.b[3])));
    const float w = fmaf(m.w[0], i, fmaf(m.w[1], j, fmaf(m.w[2], k, m.w[3])));
    if (!(w > 0)) return 0;
    const float r = __frcp_rn(w);
    return tex2D<float>(view.correction_texture, fmaf(a, r, 0.5f), fmaf(b, r, 0.5f));
  } else {
    DetectorPosition<float> at;
    if (!project_voxel(m, i, j, k, at)) return 0;
    return tex2D<float>(view.correction_texture, at.column + 0.5f, at.row + 0.5f);
  }
}

template <class Volume, bool flat>
__global__ void __launch_bounds__(256)
    unmatched(__grid_constant__ const Volume volume, __grid_constant__ const SartView view, const SartUpdate update) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int first = static_cast<int>(update.backwards ? gridDim.z - 1 - blockIdx.z : blockIdx.z) * run_length;
  if (i >= volume.nx || j >= volume.ny) return;
  const float x = static_cast<float>(i), y = static_cast<float>(j);
  float change[run_length], value[run_length];
#pragma unroll
  for (int n = 0; n < run_length; ++n)
    change[n] = first + n < volume.nz ? correction_at<flat>(view, x, y, static_cast<float>(first + n)) : 0.0f;
    // Voxels that no ray corrects are neither read nor written.
#pragma unroll
  for (int n = 0; n < run_length; ++n)
    if (change[n] != 0) value[n] = volume.load(i, j, first + n);
#pragma unroll
  for (int n = 0; n < run_length; ++n)
    if (change[n] != 0)
      volume.store(i, j, first + n, fmaxf(fmaf(update.relaxation, change[n], value[n]), update.floor));
}

template <class Volume>
__global__ void __launch_bounds__(256)
    matched(__grid_constant__ const Volume volume, __grid_constant__ const SartView view, const SartUpdate update) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= volume.nx || j >= volume.ny) return;
  float share = 0, amount = 0;
  gather_rays(view.frame, view.map, view.corrections, view.columns, view.rows, view.stride, volume.nx, volume.ny,
              volume.nz, i, j, k, share, amount);
  if (!(share > 0)) return;
  const float value = fmaf(update.relaxation, amount / share, volume.load(i, j, k));
  volume.store(i, j, k, fmaxf(value, update.floor));
}

template <class Volume>
void start_back(Stream& stream, const Volume& volume, const SartView& view, const SartUpdate& update) {
  const dim3 block(32, 8);
  const unsigned slices = static_cast<unsigned>(volume.nz);
  const dim3 grid(blocks(volume.nx, block.x), blocks(volume.ny, block.y), slices);
  if (update.matched) return stream.launch("sart back matched", grid, block, 0, matched<Volume>, volume, view, update);
  const dim3 runs(grid.x, grid.y, blocks(volume.nz, run_length));
  if (view.map.kind == DetectorKind::flat)
    stream.launch("sart back", runs, block, 0, unmatched<Volume, true>, volume, view, update);
  else
    stream.launch("sart back", runs, block, 0, unmatched<Volume, false>, volume, view, update);
}

}  // namespace
}  // namespace backlit::cuda

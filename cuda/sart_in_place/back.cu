// Voxel driven: every voxel takes its share of a view's corrections, in place.
#include "cuda/sart_in_place/sample.cuh"
#include "projectors/sart_in_place/unit_steps.hpp"

namespace backlit::cuda {
namespace {

/// Voxels of a column that a thread corrects: independent loads, to keep device memory busy.
constexpr int run_length = 8;

/// The bilinear value of the corrections where a voxel falls; 0 beside the detector and behind the source.
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

template <Representation R, bool fused, bool flat>
__global__ void __launch_bounds__(256) unmatched(__grid_constant__ const SartVolume volume,
                                                 __grid_constant__ const SartView view, const SartUpdate update) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int first = static_cast<int>(update.backwards ? gridDim.z - 1 - blockIdx.z : blockIdx.z) * run_length;
  if (i >= volume.nx || j >= volume.ny) return;
  const float x = static_cast<float>(i), y = static_cast<float>(j);
  float change[run_length], value[run_length];
#pragma unroll
  for (int n = 0; n < run_length; ++n)
    change[n] = first + n < volume.nz ? correction_at<flat>(view, x, y, static_cast<float>(first + n)) : 0.0f;
    // What no ray corrects stays as it is, and is neither read nor written.
#pragma unroll
  for (int n = 0; n < run_length; ++n)
    if (change[n] != 0) value[n] = load_voxel<R>(volume, i, j, first + n);
#pragma unroll
  for (int n = 0; n < run_length; ++n)
    if (change[n] != 0)
      store_voxel<R, fused>(volume, i, j, first + n, fmaxf(fmaf(update.relaxation, change[n], value[n]), update.floor));
}

template <Representation R, bool fused>
__global__ void __launch_bounds__(256)
    matched(__grid_constant__ const SartVolume volume, __grid_constant__ const SartView view, const SartUpdate update) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= volume.nx || j >= volume.ny) return;
  float share = 0, amount = 0;
  gather_rays(view.frame, view.map, view.corrections, view.columns, view.rows, view.stride, volume.nx, volume.ny,
              volume.nz, i, j, k, share, amount);
  if (!(share > 0)) return;
  const float value = fmaf(update.relaxation, amount / share, load_voxel<R>(volume, i, j, k));
  store_voxel<R, fused>(volume, i, j, k, fmaxf(value, update.floor));
}

template <Representation R, bool fused>
void start(Stream& stream, const SartVolume& volume, const SartView& view, const SartUpdate& update) {
  const dim3 block(32, 8);
  const unsigned slices = static_cast<unsigned>(volume.nz);
  const dim3 grid(blocks(volume.nx, block.x), blocks(volume.ny, block.y), slices);
  if (update.matched)
    return stream.launch("sart back matched", grid, block, 0, matched<R, fused>, volume, view, update);
  const dim3 runs(grid.x, grid.y, blocks(volume.nz, run_length));
  if (view.map.kind == DetectorKind::flat)
    stream.launch("sart back", runs, block, 0, unmatched<R, fused, true>, volume, view, update);
  else
    stream.launch("sart back", runs, block, 0, unmatched<R, fused, false>, volume, view, update);
}

template <Representation R>
__global__ void clear(cudaSurfaceObject_t surface, int nx, int ny) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= nx || j >= ny) return;
  if constexpr (R == Representation::array2d)
    surf2DLayeredwrite(0.0f, surface, i * int{sizeof(float)}, j, k);
  else
    surf3Dwrite(0.0f, surface, i * int{sizeof(float)}, j, k);
}

}  // namespace

void correct_volume(Stream& stream, Representation r, const SartVolume& volume, const SartView& view,
                    const SartUpdate& update, bool fused) {
  switch (r) {
    case Representation::texture3d:
      return fused ? start<Representation::texture3d, true>(stream, volume, view, update)
                   : start<Representation::texture3d, false>(stream, volume, view, update);
    case Representation::array2d:
      return fused ? start<Representation::array2d, true>(stream, volume, view, update)
                   : start<Representation::array2d, false>(stream, volume, view, update);
    case Representation::pitch2d:
      return start<Representation::pitch2d, false>(stream, volume, view, update);
    case Representation::surface3d:
      return start<Representation::surface3d, false>(stream, volume, view, update);
  }
}

void clear_surface(Stream& stream, Representation r, cudaSurfaceObject_t surface, int nx, int ny, int slices) {
  const dim3 block(32, 8);
  const dim3 grid(blocks(nx, block.x), blocks(ny, block.y), static_cast<unsigned>(slices));
  if (r == Representation::array2d)
    stream.launch("clear surface", grid, block, 0, clear<Representation::array2d>, surface, nx, ny);
  else
    stream.launch("clear surface", grid, block, 0, clear<Representation::texture3d>, surface, nx, ny);
}

}  // namespace backlit::cuda

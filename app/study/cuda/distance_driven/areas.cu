#include "study/cuda/distance_driven/area_lookup.cuh"
#include "study/cuda/distance_driven/z_lines.hpp"

namespace backlit::cuda {
namespace {

/// The K neighbours along of a thread. Shared ones lie beside each other, others `stride` apart. Values across are
/// computed once for all of them.
template <bool shared, int K>
struct Neighbours {
  int first, stride;
  /// Groups of `apart` adjacent threads interleave their neighbours.
  __device__ Neighbours(int thread, int apart)
      : first(shared ? thread * K : thread / apart * (K * apart) + thread % apart), stride(shared ? 1 : apart) {}
  __device__ int operator[](int n) const { return first + n * stride; }
};

template <class Lookup, bool shared, int K>
__global__ void __launch_bounds__(128) project(DistanceDrivenPlan plan, const SeenView* views, int axis, Lookup lookup,
                                               float* projections, bool accumulate) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  // Keep rows of a block together: data that blocks of all views read at a time should stay in the L2 cache.
  const Neighbours<shared, K> rows(blockIdx.z * blockDim.y + threadIdx.y, blockDim.y);
  if (c >= plan.columns || rows.first >= plan.rows) return;
  const SeenView view = views[blockIdx.y];
  const ColumnEdge<double>* edges = plan.edges + static_cast<std::int64_t>(view.view) * (plan.columns + 1) + c;
  const RowEdges<double>& cells = plan.cells[static_cast<std::int64_t>(view.view) * plan.columns + c];
  const CellColumn column(edges[0], edges[1], cells, rows.first);
  const float across = plan.across(axis), nz = plan.size[2];
  float sums[K] = {};
  for (int slab = 0; slab < plan.slabs(axis); ++slab)
    add_cells<shared>(lookup, slab, static_cast<float>(slab), across, nz, column, rows.stride, sums);
  float* image = projections + view.pixels + (view.reversed ? plan.columns - 1 - c : c);
#pragma unroll
  for (int r = 0; r < K; ++r) {
    const int row = rows[r];
    if (row >= plan.rows) break;
    float& value = image[static_cast<std::int64_t>(row) * plan.columns];
    value = (accumulate ? value : 0.0f) + sums[r] * static_cast<float>(cells.length(row));
  }
}

template <class Lookup, bool shared, int K>
__global__ void __launch_bounds__(256, 4) backproject(DistanceDrivenPlan plan, const SeenView* views, int count,
                                                      int axis, Lookup lookup, float* volume, bool accumulate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, slab = blockIdx.y * blockDim.y + threadIdx.y;
  const Neighbours<shared, K> slices(blockIdx.z, gridDim.z);
  if (i >= plan.across(axis) || slab >= plan.slabs(axis)) return;
  float sums[K] = {};
  for (int v = 0; v < count; ++v) {
    const VoxelLine line =
        line_in_view(plan, views[v], axis, lookup, v, i, slab, slices.first, (K - 1) * slices.stride + 1);
    add_voxels<shared>(lookup, line, v, slices.stride, sums);
  }
#pragma unroll
  for (int k = 0; k < K; ++k) {
    if (slices[k] >= plan.size[2]) break;
    float& value = voxel_at(plan, axis, i, slab, slices[k], volume);
    value = (accumulate ? value : 0.0f) + sums[k];
  }
}

/// Calls run with a lookup and a number of neighbours.
template <int apart, class Entry, class Run>
void choose(const Areas<Entry>& areas, Share share, Run run) {
  constexpr int lines = 16;
  with_lookup(areas, [&](auto lookup) {
    share == Share::none ? run.template operator()<false, apart>(lookup) : run.template operator()<true, lines>(lookup);
  });
}

}  // namespace

template <class Entry>
void project_areas(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                   const Areas<Entry>& areas, Share share, float* projections, bool accumulate) {
  choose<2>(areas, share, [&]<bool shared, int K, class Lookup>(Lookup lookup) {
    const dim3 block(32, 4), grid(blocks(plan.columns, 32), static_cast<unsigned>(count), blocks(plan.rows, 4 * K));
    stream.launch("project areas", grid, block, 0, project<Lookup, shared, K>, plan, views, axis, lookup, projections,
                  accumulate);
  });
}

template <class Entry>
void backproject_areas(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                       const Areas<Entry>& areas, Share share, float* volume, bool accumulate) {
  if (share == Share::shared_memory || share == Share::shuffles)
    return backproject_z_lines(stream, plan, views, count, axis, areas, share, volume, accumulate);
  choose<8>(areas, share, [&]<bool shared, int K, class Lookup>(Lookup lookup) {
    const dim3 block(32, 8), grid(blocks(plan.across(axis), 32), blocks(plan.slabs(axis), 8), blocks(plan.size[2], K));
    stream.launch("backproject areas", grid, block, 0, backproject<Lookup, shared, K>, plan, views, count, axis, lookup,
                  volume, accumulate);
  });
}

template void project_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const Areas<float>&, Share,
                            float*, bool);
template void backproject_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const Areas<float>&,
                                Share, float*, bool);
template void project_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const Areas<TwoFloats>&,
                            Share, float*, bool);
template void backproject_areas(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const Areas<TwoFloats>&,
                                Share, float*, bool);

}  // namespace backlit::cuda

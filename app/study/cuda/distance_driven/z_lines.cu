#include "study/cuda/distance_driven/z_lines.hpp"

#include <cub/util_type.cuh>

#include "study/cuda/distance_driven/area_lookup.cuh"

namespace backlit::cuda {
namespace {

constexpr int lanes = 32;

/// The sum below a thread's lower edge in a view.
template <class Lookup>
struct LowerEdge {
  AreaEdge from;
  typename Lookup::Sum below;

  LowerEdge() = default;
  __device__ LowerEdge(const Lookup& lookup, const VoxelLine& line, int image, int edge) : from(line.edges.edge(edge)) {
    below = AreaStrip<Lookup>{lookup, line.low, line.high, image}.below(from.looked_up);
  }
  /// The share of its slice, given the sum below the next edge.
  __device__ float slice(const VoxelLine& line, int edge, typename Lookup::Sum next) const {
    return line.scale.between(from, line.edges.edge(edge + 1), static_cast<float>(next - below), line.edges.rounds);
  }
};

__device__ inline float from_next_lane(float sum) { return __shfl_down_sync(~0u, sum, 1); }
__device__ inline TwoFloats from_next_lane(TwoFloats sum) {
  sum.high = from_next_lane(sum.high);
  sum.low = from_next_lane(sum.low);
  return sum;
}

constexpr int columns_a_block = 8;  ///< voxel columns, one for each warp

/// Each lane has an edge; all except the last lane of a warp have a slice. Each lane computes the position of the
/// warp's column in one of 32 views.
template <class Lookup>
__global__ void __launch_bounds__(lanes* columns_a_block)
    by_shuffles(DistanceDrivenPlan plan, const SeenView* views, int count, int axis, Lookup lookup, float* volume,
                bool accumulate) {
  constexpr int slices = lanes - 1;
  __shared__ cub::Uninitialized<VoxelLine[columns_a_block][lanes]> of_block;
  VoxelLine* lines = of_block.Alias()[threadIdx.y];
  const int edge = threadIdx.x, i = blockIdx.x * columns_a_block + threadIdx.y, slab = blockIdx.y;
  const int first = blockIdx.z * slices;
  if (i >= plan.across(axis)) return;
  float sum = 0;
  for (int done = 0; done < count; done += lanes) {
    const int part = min(lanes, count - done);
    __syncwarp();
    if (edge < part)
      lines[edge] = line_in_view(plan, views[done + edge], axis, lookup, done + edge, i, slab, first, slices);
    __syncwarp();
    for (int v = 0; v < part; ++v) {
      const VoxelLine line = lines[v];
      if (!(line.low < line.high)) continue;
      const LowerEdge<Lookup> lower(lookup, line, done + v, edge);
      sum += lower.slice(line, edge, from_next_lane(lower.below));
    }
  }
  if (edge == slices || first + edge >= plan.size[2]) return;
  float& value = voxel_at(plan, axis, i, slab, first + edge, volume);
  value = (accumulate ? value : 0.0f) + sum;
}

constexpr int edges_a_block = 17;

/// Each thread has an edge of one of 32 voxel columns; all except the last of a column have a slice. Each row of
/// threads computes the positions of the columns in one of 17 views.
template <class Lookup>
__global__ void __launch_bounds__(lanes* edges_a_block, 2)
    by_shared_memory(DistanceDrivenPlan plan, const SeenView* views, int count, int axis, Lookup lookup, float* volume,
                     bool accumulate) {
  using Sum = typename Lookup::Sum;
  constexpr int slices = edges_a_block - 1;
  __shared__ cub::Uninitialized<VoxelLine[edges_a_block][lanes]> of_block;
  auto& lines = of_block.Alias();
  __shared__ Sum sums[2][edges_a_block][lanes];  // of this view and the previous one
  const int edge = threadIdx.y, lane = threadIdx.x, slab = blockIdx.y, first = blockIdx.z * slices;
  const int i = min(static_cast<int>(blockIdx.x) * lanes + lane, plan.across(axis) - 1);  // barriers need all
  float sum = 0;
  for (int done = 0; done < count; done += edges_a_block) {
    const int part = min(edges_a_block, count - done);
    __syncthreads();
    if (edge < part)
      lines[edge][lane] = line_in_view(plan, views[done + edge], axis, lookup, done + edge, i, slab, first, slices);
    __syncthreads();
    for (int v = 0; v < part; ++v) {
      const VoxelLine line = lines[v][lane];
      const bool seen = line.low < line.high;
      LowerEdge<Lookup> lower;
      if (seen) {
        lower = {lookup, line, done + v, edge};
        sums[v % 2][edge][lane] = lower.below;
      }
      __syncthreads();
      if (seen && edge < slices) sum += lower.slice(line, edge, sums[v % 2][edge + 1][lane]);
    }
  }
  if (edge == slices || first + edge >= plan.size[2] || blockIdx.x * lanes + lane >= plan.across(axis)) return;
  float& value = voxel_at(plan, axis, i, slab, first + edge, volume);
  value = (accumulate ? value : 0.0f) + sum;
}

}  // namespace

template <class Entry>
void backproject_z_lines(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                         const Areas<Entry>& areas, Share share, float* volume, bool accumulate) {
  const int across = plan.across(axis);
  const auto slabs = static_cast<unsigned>(plan.slabs(axis));
  with_lookup(areas, [&]<class Lookup>(Lookup lookup) {
    if (share == Share::shuffles)
      stream.launch("backproject areas by shuffles",
                    dim3(blocks(across, columns_a_block), slabs, blocks(plan.size[2], lanes - 1)),
                    dim3(lanes, columns_a_block), 0, by_shuffles<Lookup>, plan, views, count, axis, lookup, volume,
                    accumulate);
    else
      stream.launch("backproject areas by shared memory",
                    dim3(blocks(across, lanes), slabs, blocks(plan.size[2], edges_a_block - 1)),
                    dim3(lanes, edges_a_block), 0, by_shared_memory<Lookup>, plan, views, count, axis, lookup, volume,
                    accumulate);
  });
}

template void backproject_z_lines(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const Areas<float>&,
                                  Share, float*, bool);
template void backproject_z_lines(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int,
                                  const Areas<TwoFloats>&, Share, float*, bool);

}  // namespace backlit::cuda

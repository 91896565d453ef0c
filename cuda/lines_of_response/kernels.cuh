// A block of threads holds a tile of the image in shared memory. It takes the lines that cross the tile, one per
// thread, through its slices. Forward sums the tile's voxels along a line; back adds the line's value to the tile,
// which is written once at the end.
#pragma once

#include <cuda_fp16.h>

#include "cuda/lines_of_response/fixed_point.cuh"
#include "cuda/lines_of_response/footprint.cuh"

namespace backlit::cuda {

/// Kernels of studies lack some loops, because these take long to compile.
constexpr bool all_taps(LineKernel kernel) {
  return kernel.threads == 512 && (kernel.extra == Extra::none || kernel.extra == Extra::precise);
}

struct Shared {
  float* tof;
  float2* table;
  float* tile;
};

template <LineShape model>
__device__ Shared lay_out(const Arguments& p, const WorkItem& item, float4* memory) {
  Shared s;
  s.tof = reinterpret_cast<float*>(memory);
  s.table = reinterpret_cast<float2*>(s.tof + (p.tables.tof_table.entry_per_mm > 0 ? TofTable::entries + 4 : 0));
  s.tile = reinterpret_cast<float*>(s.table + (model == LineShape::table ? tube_entries : 0));
  if (p.tables.tof_table.entry_per_mm > 0)
    for (int i = threadIdx.x; i <= TofTable::entries; i += blockDim.x) s.tof[i] = p.tables.tof[i];
  if (model == LineShape::table)
    for (int i = threadIdx.x; i < tube_entries; i += blockDim.x) {
      const float* weights = p.tables.weights + item.kernel * tube_entries;
      s.table[i] = {weights[i], i + 1 < tube_entries ? weights[i + 1] - weights[i] : 0.0f};
    }
  return s;
}

/// Common factor of all weights of a tube.
template <LineShape model>
__device__ float whole_of(const Arguments& p, const TubeTable& tube) {
  if (model == LineShape::thin) return 1;
  return model == LineShape::gauss ? tube.peak * p.tables.voxel_mm3 : p.tables.voxel_mm3;
}

/// Loads the image's voxels of a tile, with zeros in its margins. There is a barrier after the zeros only.
__device__ inline void load_tile(const Arguments& p, const Tile& t, int axis, float* tile) {
  for (int i = threadIdx.x; i < floats_of(t); i += blockDim.x) tile[i] = 0;
  __syncthreads();
  each_voxel(t, p.tiling[axis], axis, [&](int to, std::int64_t from) { tile[to] = p.input[from]; });
}

/// The same in half precision; values are scaled to the middle of its range. Returns the inverse scale.
__device__ inline float load_half_tile(const Arguments& p, const Tile& t, int axis, __half* tile) {
  const float scale = p.scale[0] * p.tables.most_sum * 0x1p-50f;  // the largest value comes near 2^10
  for (int i = threadIdx.x; i < floats_of(t); i += blockDim.x) tile[i] = __half(0.0f);
  __syncthreads();
  each_voxel(t, p.tiling[axis], axis,
             [&](int to, std::int64_t from) { tile[to] = __float2half(p.input[from] * scale); });
  return 1 / scale;
}

/// The work of a block.
struct Work {
  WorkItem item;
  const Tiling& tiling;
  Tile tile;
  Shared shared;
};

template <LineShape model>
__device__ __forceinline__ Work work_of_block(const Arguments& p) {
  extern __shared__ float4 memory[];
  const WorkItem item = p.items[blockIdx.x];
  const Tiling& tiling = p.tiling[item.axis];
  return {item, tiling, tile_of(tiling, item), lay_out<model>(p, item, memory)};
}

/// A line's visit of a tile.
struct Visit {
  std::uint32_t line;
  LineRecord record;
  int first, count;  ///< slices of the tile
};

__device__ __forceinline__ Visit visit_at(const Arguments& p, std::int64_t v) {
  const std::uint32_t line = p.visit_lines[v], slices = p.visit_slices[v];
  return {line, p.records[line], static_cast<int>(slices & 255), static_cast<int>(slices >> 8)};
}

/// Adds a line's sum over a tile to the line's result.
template <Sums sums>
__device__ void give(const Arguments& p, std::uint32_t line, float sum) {
  if (sums == Sums::fixed)
    atomicAdd(reinterpret_cast<unsigned long long*>(p.fixed) + line,
              static_cast<unsigned long long>(__float2ll_rn(sum * p.scale[0])));
  else
    atomicAdd(p.floating + line, sum);
}

template <LineShape model, Sums sums, int threads, Extra extra>
__global__ void __launch_bounds__(threads, 1024 / threads) forward_kernel(const __grid_constant__ Arguments p) {
  constexpr LineKernel kernel{model, sums, threads, extra};
  const auto [item, g, t, shared] = work_of_block<kernel.model>(p);
  const TubeTable tube = p.tables.tubes[item.kernel];
  float whole = whole_of<kernel.model>(p, tube);
  const __half* halves = reinterpret_cast<const __half*>(shared.tile);
  if constexpr (kernel.extra == Extra::half)
    whole *= load_half_tile(p, t, item.axis, reinterpret_cast<__half*>(shared.tile));
  else
    load_tile(p, t, item.axis, shared.tile);
  __syncthreads();
  with_taps<kernel, all_taps(kernel)>(item.taps, [&](auto taps) {
    for (std::int64_t v = item.begin + threadIdx.x; v < item.end; v += kernel.threads) {
      const auto [line, r, first, count] = visit_at(p, v);
      const Footprint f = footprint_of<kernel.model>(r, g, tube, p.tables.tof_table);
      float sum = 0;
      for (int k = first; k < first + count; ++k)
        in_slice<kernel>(r, f, t, item.taps, k, shared.tof, [&](const Meeting& m) {
          float part = 0;
          each_tap<decltype(taps)::value, kernel>(t, item.taps, f, m, shared.table, [&](int voxel, float w) {
            if constexpr (extra == Extra::half)
              part = fmaf(w, __half2float(halves[voxel]), part);
            else
              part = fmaf(w, shared.tile[voxel], part);
          });
          sum = fmaf(m.share, part, sum);
        });
      give<kernel.sums>(p, line, sum * whole);
    }
  });
}

/// Adds w * amount, both scaled, to a voxel of a tile.
template <LineKernel kernel>
__device__ __forceinline__ void add_to(float* tile, int voxel, float w, float amount) {
  int* integers = reinterpret_cast<int*>(tile);
  if constexpr (kernel.sums == Sums::floating) {
    atomicAdd(tile + voxel, w * amount);
  } else if constexpr (kernel.extra == Extra::racy) {
    volatile int* place = integers + voxel;
    *place = *place + fixed_product(w, amount);
  } else {
    atomicAdd(integers + voxel, fixed_product(w, amount));
  }
}

/// Finds the exponent of a block's integers; all threads get the same. Returns false when all values are 0.
__device__ inline bool scale_block(const Arguments& p, const WorkItem& item, int& exponent) {
  float sum = 0, largest = 0;
  for (std::int64_t v = item.begin + threadIdx.x; v < item.end; v += blockDim.x) {
    const float value = fabsf(p.input[p.visit_lines[v]]);
    sum += value;
    largest = fmaxf(largest, value);
  }
  sum = sum_over_block(sum);
  largest = largest_of_block(largest);
  exponent = min(block_exponent(sum, largest, p.tables.most_weight), ilogbf(p.scale[1]));
  return sum > 0;
}

/// Adds the tile to the image.
template <Sums sums>
__device__ void write_tile(const Arguments& p, const Tile& t, int axis, const float* tile, int exponent) {
  const Tiling& g = p.tiling[axis];
  if constexpr (sums == Sums::fixed) {
    const int* integers = reinterpret_cast<const int*>(tile);
    const int shift = ilogbf(p.scale[1]) - exponent;
    each_voxel(t, g, axis, [&](int from, std::int64_t to) {
      if (integers[from] != 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(p.fixed) + to,
                  static_cast<unsigned long long>(static_cast<long long>(integers[from]) << shift));
    });
  } else {
    each_voxel(t, g, axis, [&](int from, std::int64_t to) {
      if (tile[from] != 0) atomicAdd(p.floating + to, tile[from]);
    });
  }
}

template <LineShape model, Sums sums, int threads, Extra extra>
__global__ void __launch_bounds__(threads, 1024 / threads) back_kernel(const __grid_constant__ Arguments p) {
  constexpr LineKernel kernel{model, sums, threads, extra};
  const auto [item, g, t, shared] = work_of_block<kernel.model>(p);
  for (int i = threadIdx.x; i < floats_of(t); i += kernel.threads) shared.tile[i] = 0;
  int exponent = 0;
  if constexpr (kernel.sums == Sums::fixed)
    if (!scale_block(p, item, exponent)) return;
  __syncthreads();
  const TubeTable tube = p.tables.tubes[item.kernel];
  const float whole = ldexpf(whole_of<kernel.model>(p, tube), exponent);
  with_taps<kernel, all_taps(kernel)>(item.taps, [&](auto taps) {
    for (std::int64_t v = item.begin + threadIdx.x; v < item.end; v += kernel.threads) {
      const auto [line, r, first, count] = visit_at(p, v);
      const float value = p.input[line] * whole;
      if (value == 0) continue;
      const Footprint f = footprint_of<kernel.model>(r, g, tube, p.tables.tof_table);
      for (int k = first; k < first + count; ++k)
        in_slice<kernel>(r, f, t, item.taps, k, shared.tof, [&](const Meeting& m) {
          const float amount = m.share * value;
          each_tap<decltype(taps)::value, kernel>(t, item.taps, f, m, shared.table, [&](int voxel, float w) {
            add_to<kernel>(shared.tile, voxel, w, amount);
          });
        });
    }
  });
  __syncthreads();
  write_tile<kernel.sums>(p, t, item.axis, shared.tile, exponent);
}

/// Starts a kernel whose blocks hold tiles.
template <class Kernel>
void launch_tiles(Stream& stream, const LinePlan& plan, const Arguments& p, LineShape model, int threads, bool forward,
                  Kernel* kernel) {
  const std::size_t bytes = shared_bytes(plan, p.tables, model);
  BACKLIT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  stream.launch(forward ? "lines forward" : "lines back", dim3(static_cast<unsigned>(plan.item_count())), threads,
                bytes, kernel, p);
}

template <LineKernel kernel>
void launch_kernel(Stream& stream, const LinePlan& plan, const Arguments& p, bool forward) {
  if (forward)
    launch_tiles(stream, plan, p, kernel.model, kernel.threads, true,
                 forward_kernel<kernel.model, kernel.sums, kernel.threads, kernel.extra>);
  else
    launch_tiles(stream, plan, p, kernel.model, kernel.threads, false,
                 back_kernel<kernel.model, kernel.sums, kernel.threads, kernel.extra>);
}

}  // namespace backlit::cuda

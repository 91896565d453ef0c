// A block of threads holds a tile of the image in shared memory and takes the lines that cross it, one a thread,
// through its slices. Forward adds what a line sees, back adds the line's value to the tile, which is written once at
// the end.
//
// Sums are kept in integers: a 32-bit addition in shared memory is one instruction, a floating-point one is a loop, and
// integers add up to the same whatever the order. Scales are powers of two. A block's is such that all its values
// together, each with the largest weight, stay below 2^31, and the largest product below 2^22 (then a product becomes
// an integer by adding 1.5 * 2^23 to it). Tiles are added up in 64 bits with a scale that does the same for all lines.
#include <algorithm>
#include <cmath>

#include "listmode/project.hpp"

namespace backlit::cuda {
namespace {

constexpr int threads = 512;
constexpr float magic = 12582912.0f;  // 1.5 * 2^23

struct Arguments {
  Tiling tiling[3];
  const LineRecord* records;
  const std::uint32_t* visit_lines;
  const std::uint16_t* visit_slices;
  const WorkItem* items;
  LineTables tables;
  const float* input;  // image or y
  long long* fixed;    // sums of lines or voxels
  float* floating;
  const float* scale;  // of the fixed sums
};

enum class Model { joseph, gauss, table };

/// A tile with margins of taps - 1 voxels before and behind in each direction of a slice: the margin behind a row is
/// that before the next.
struct Tile {
  int main0, a0, b0;  // its first voxel in the image
  int main, a, b;     // its voxels
  int margin, row, slice;
};

__device__ Tile tile_of(const Tiling& t, const WorkItem& item) {
  Tile tile;
  const int ka = item.tile % t.tiles[1], kb = item.tile / t.tiles[1] % t.tiles[2];
  const int km = item.tile / t.tiles[1] / t.tiles[2];
  tile.main0 = km * t.tile[0];
  tile.a0 = ka * t.tile[1];
  tile.b0 = kb * t.tile[2];
  tile.main = min(t.tile[0], t.size[0] - tile.main0);
  tile.a = min(t.tile[1], t.size[1] - tile.a0);
  tile.b = min(t.tile[2], t.size[2] - tile.b0);
  tile.margin = item.taps - 1;
  tile.row = tile.a + tile.margin;
  tile.slice = tile.row * (tile.b + tile.margin);
  return tile;
}

__device__ int first_voxel(const Tile& t) { return t.margin * t.row + t.margin; }
__device__ int floats_of(const Tile& t) { return t.main * t.slice + first_voxel(t); }

/// f(place in the tile, place in the image) for the tile's voxels, neighbours in the image by neighbouring threads.
template <class F>
__device__ void each_voxel(const Tile& t, const Tiling& g, int axis, F&& f) {
  const int n = t.main * t.a * t.b;
  for (int i = threadIdx.x; i < n; i += threads) {
    int s, a, b;
    if (axis == 0) {
      s = i % t.main;
      a = i / t.main % t.a;
      b = i / t.main / t.a;
    } else {
      a = i % t.a;
      s = axis == 1 ? i / t.a % t.main : i / t.a / t.b;
      b = axis == 1 ? i / t.a / t.main : i / t.a % t.b;
    }
    f(first_voxel(t) + s * t.slice + b * t.row + a,
      (t.main0 + s) * g.stride[0] + (t.a0 + a) * g.stride[1] + (t.b0 + b) * g.stride[2]);
  }
}

/// A line's footprint on slices. Squares are in units of the exponent (Gaussians) or of the table's entries.
struct Footprint {
  float aa, ab2, bb, cut;
  float reach_a, reach_b;
  float step, tof_step;
};

template <Model model>
__device__ Footprint footprint_of(const LineRecord& r, const Tiling& g, const TubeTable& tube, const TofTable& tof) {
  Footprint f;
  const float slope_a = r.da * g.spacing[1] / g.spacing[0], slope_b = r.db * g.spacing[2] / g.spacing[0];
  const float square = 1 + slope_a * slope_a + slope_b * slope_b;
  f.step = g.spacing[0] * sqrtf(square);
  f.tof_step = f.step * tof.entry_per_mm;
  if (model == Model::joseph) {
    f.reach_a = f.reach_b = 1;
    return f;
  }
  const float unit = model == Model::gauss ? tube.gauss_per_mm2 : tube.entry_per_mm2, over = 1 / square;
  f.aa = unit * g.spacing[1] * g.spacing[1] * (1 - slope_a * slope_a * over);
  f.bb = unit * g.spacing[2] * g.spacing[2] * (1 - slope_b * slope_b * over);
  f.ab2 = -2 * unit * g.spacing[1] * g.spacing[2] * slope_a * slope_b * over;
  f.cut = unit * tube.radius * tube.radius;
  f.reach_a = tube.radius / g.spacing[1] * sqrtf(1 + slope_a * slope_a);
  f.reach_b = tube.radius / g.spacing[2] * sqrtf(1 + slope_b * slope_b);
  return f;
}

__device__ float exp2_of_minus(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(-x));
  return y;
}

/// use(voxel in the tile, weight) for the taps of a slice, weights without what the whole slice shares. N taps a side,
/// or `taps` when N is 0. (fa, fb): the first tap from the line.
template <int N, Model model, class Use>
__device__ __forceinline__ void each_tap(int taps, const Footprint& f, float fa, float fb, const float2* table, int at,
                                         int row, Use&& use) {
  const int n = N > 0 ? N : taps;
  if constexpr (model == Model::joseph) {
    const float high_a = -fa, high_b = -fb;  // the first tap lies below the line
    use(at, (1 - high_a) * (1 - high_b));
    use(at + 1, high_a * (1 - high_b));
    use(at + row, (1 - high_a) * high_b);
    use(at + row + 1, high_a * high_b);
  } else if constexpr (N > 0) {
    float square_a[N], cross_a[N];
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const float x = fa + i;
      square_a[i] = f.aa * x * x;
      cross_a[i] = f.ab2 * x;
    }
#pragma unroll
    for (int j = 0; j < N; ++j) {
      const float y = fb + j, square_b = f.bb * y * y;
      if constexpr (model == Model::gauss) {
        const float factor = exp2_of_minus(square_b), cut = f.cut - square_b;
#pragma unroll
        for (int i = 0; i < N; ++i) {
          const float e = fmaf(cross_a[i], y, square_a[i]);
          if (e < cut) use(at + j * row + i, exp2_of_minus(e) * factor);
        }
      } else {
#pragma unroll
        for (int i = 0; i < N; ++i) {
          const float e = fmaf(cross_a[i], y, square_a[i]) + square_b;
          if (e < f.cut) {
            const int entry = static_cast<int>(e);
            const float2 w = table[entry];
            use(at + j * row + i, fmaf(e - entry, w.y, w.x));
          }
        }
      }
    }
  } else {
    for (int j = 0; j < n; ++j) {
      const float y = fb + j, square_b = f.bb * y * y, cross = f.ab2 * y;
#pragma unroll 4
      for (int i = 0; i < n; ++i) {
        const float x = fa + i;
        const float e = fmaf(fmaf(f.aa, x, cross), x, square_b);
        if (e < f.cut) {
          if constexpr (model == Model::gauss) {
            use(at + j * row + i, exp2_of_minus(e));
          } else {
            const int entry = static_cast<int>(e);
            const float2 w = table[entry];
            use(at + j * row + i, fmaf(e - entry, w.y, w.x));
          }
        }
      }
    }
  }
}

/// slice(share of the line's weight, place of the first tap in the tile, fa, fb) for the slices of a visit.
template <Model model, class Slice>
__device__ __forceinline__ void each_slice(const Arguments& p, const LineRecord& r, const Footprint& f, const Tile& t,
                                           std::uint32_t slices, const float* tof, Slice&& slice) {
  const int first = slices & 255, count = slices >> 8;
  for (int k = first; k < first + count; ++k) {
    const float s = t.main0 + k;
    const float a = fmaf(s, r.da, r.a) - t.a0, b = fmaf(s, r.db, r.b) - t.b0;
    int ia, ib;
    if (model == Model::joseph) {
      ia = __float2int_rd(a);
      ib = __float2int_rd(b);
    } else {
      ia = __float2int_ru(a - f.reach_a);
      ib = __float2int_ru(b - f.reach_b);
    }
    if (static_cast<unsigned>(ia + t.margin) >= static_cast<unsigned>(t.a + t.margin) ||
        static_cast<unsigned>(ib + t.margin) >= static_cast<unsigned>(t.b + t.margin))
      continue;
    float share = fminf(r.end, s + 0.5f) - fmaxf(r.start, s - 0.5f);
    if (model == Model::joseph) share *= f.step;
    if (f.tof_step > 0) {
      const float e = fabsf(s - r.tof) * f.tof_step;
      const int entry = min(static_cast<int>(e), TofTable::entries - 1);
      share *= e < TofTable::entries ? fmaf(e - entry, tof[entry + 1] - tof[entry], tof[entry]) : 0.0f;
    }
    if (share > 0) slice(share, first_voxel(t) + k * t.slice + ib * t.row + ia, ia - a, ib - b);
  }
}

template <class F>
__device__ __forceinline__ void with_taps(int taps, F&& f) {
  switch (taps) {
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    case 7:
      return f(std::integral_constant<int, 7>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      return f(std::integral_constant<int, 0>{});
  }
}

struct Shared {
  float* tof;
  float2* table;
  float* tile;
};

template <Model model>
__device__ Shared lay_out(const Arguments& p, const WorkItem& item, float4* memory) {
  Shared s;
  s.tof = reinterpret_cast<float*>(memory);
  s.table = reinterpret_cast<float2*>(s.tof + (p.tables.tof_table.entry_per_mm > 0 ? TofTable::entries + 4 : 0));
  s.tile = reinterpret_cast<float*>(s.table + (model == Model::table ? tube_entries : 0));
  if (p.tables.tof_table.entry_per_mm > 0)
    for (int i = threadIdx.x; i <= TofTable::entries; i += threads) s.tof[i] = p.tables.tof[i];
  if (model == Model::table)
    for (int i = threadIdx.x; i < tube_entries; i += threads) {
      const float* weights = p.tables.weights + item.kernel * tube_entries;
      s.table[i] = {weights[i], i + 1 < tube_entries ? weights[i + 1] - weights[i] : 0.0f};
    }
  return s;
}

template <Model model, Sums sums>
__global__ void __launch_bounds__(threads, 2) forward_kernel(const __grid_constant__ Arguments p) {
  extern __shared__ float4 memory[];
  const WorkItem item = p.items[blockIdx.x];
  const Tiling& g = p.tiling[item.axis];
  const Tile t = tile_of(g, item);
  const Shared shared = lay_out<model>(p, item, memory);
  for (int i = threadIdx.x; i < floats_of(t); i += threads) shared.tile[i] = 0;
  __syncthreads();
  each_voxel(t, g, item.axis, [&](int to, std::int64_t from) { shared.tile[to] = p.input[from]; });
  __syncthreads();
  const TubeTable tube = p.tables.tubes[item.kernel];
  const float peak = model == Model::gauss ? tube.peak * p.tables.voxel_mm3 : p.tables.voxel_mm3;
  const float scale = sums == Sums::fixed ? p.scale[0] : 1.0f;
  with_taps(model == Model::joseph ? 2 : item.taps, [&](auto taps) {
    for (std::int64_t v = item.begin + threadIdx.x; v < item.end; v += threads) {
      const std::uint32_t line = p.visit_lines[v];
      const LineRecord r = p.records[line];
      const Footprint f = footprint_of<model>(r, g, tube, p.tables.tof_table);
      float sum = 0;
      each_slice<model>(p, r, f, t, p.visit_slices[v], shared.tof, [&](float share, int at, float fa, float fb) {
        float part = 0;
        each_tap<decltype(taps)::value, model>(item.taps, f, fa, fb, shared.table, at, t.row,
                                               [&](int voxel, float w) { part = fmaf(w, shared.tile[voxel], part); });
        sum = fmaf(share, part, sum);
      });
      if (model != Model::joseph) sum *= peak;
      if (sums == Sums::fixed)
        atomicAdd(reinterpret_cast<unsigned long long*>(p.fixed) + line,
                  static_cast<unsigned long long>(__float2ll_rn(sum * scale)));
      else
        atomicAdd(p.floating + line, sum);
    }
  });
}

/// The sum over a block, the same for all threads; every warp adds up in the same order.
template <class Join>
__device__ float over_block(float value, float* scratch, Join&& join) {
  for (int step = 16; step > 0; step /= 2) value = join(value, __shfl_xor_sync(~0u, value, step));
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float all = scratch[0];
  for (int w = 1; w < threads / 32; ++w) all = join(all, scratch[w]);
  return all;
}

/// The largest power of two (as its exponent) by which values of this sum and largest value may be scaled.
__device__ int block_exponent(float sum, float largest, float most_weight) {
  if (!(sum > 0)) return 0;
  return min(30 - ilogbf(sum * most_weight * 1.001f), 21 - ilogbf(largest * most_weight)) - 1;
}

template <Model model, Sums sums>
__global__ void __launch_bounds__(threads, 2) back_kernel(const __grid_constant__ Arguments p) {
  extern __shared__ float4 memory[];
  __shared__ float scratch[threads / 32];
  const WorkItem item = p.items[blockIdx.x];
  const Tiling& g = p.tiling[item.axis];
  const Tile t = tile_of(g, item);
  const Shared shared = lay_out<model>(p, item, memory);
  for (int i = threadIdx.x; i < floats_of(t); i += threads) shared.tile[i] = 0;
  int exponent = 0;
  if (sums == Sums::fixed) {
    float sum = 0, largest = 0;
    for (std::int64_t v = item.begin + threadIdx.x; v < item.end; v += threads) {
      const float value = fabsf(p.input[p.visit_lines[v]]);
      sum += value;
      largest = fmaxf(largest, value);
    }
    sum = over_block(sum, scratch, [](float a, float b) { return a + b; });
    largest = over_block(largest, scratch, [](float a, float b) { return fmaxf(a, b); });
    if (!(sum > 0)) return;  // all threads agree
    exponent = block_exponent(sum, largest, p.tables.most_weight);
    exponent = min(exponent, ilogbf(p.scale[1]));
  }
  __syncthreads();
  const TubeTable tube = p.tables.tubes[item.kernel];
  float whole = model == Model::joseph  ? 1.0f
                : model == Model::gauss ? tube.peak * p.tables.voxel_mm3
                                        : p.tables.voxel_mm3;
  if (sums == Sums::fixed) whole = ldexpf(whole, exponent);
  int* integers = reinterpret_cast<int*>(shared.tile);
  with_taps(model == Model::joseph ? 2 : item.taps, [&](auto taps) {
    for (std::int64_t v = item.begin + threadIdx.x; v < item.end; v += threads) {
      const std::uint32_t line = p.visit_lines[v];
      const LineRecord r = p.records[line];
      const float value = p.input[line] * whole;
      if (value == 0) continue;
      const Footprint f = footprint_of<model>(r, g, tube, p.tables.tof_table);
      each_slice<model>(p, r, f, t, p.visit_slices[v], shared.tof, [&](float share, int at, float fa, float fb) {
        const float amount = share * value;
        each_tap<decltype(taps)::value, model>(item.taps, f, fa, fb, shared.table, at, t.row, [&](int voxel, float w) {
          if (sums == Sums::fixed)
            atomicAdd(integers + voxel, __float_as_int(fmaf(w, amount, magic)) - __float_as_int(magic));
          else
            atomicAdd(shared.tile + voxel, w * amount);
        });
      });
    }
  });
  __syncthreads();
  if (sums == Sums::fixed) {
    const int shift = ilogbf(p.scale[1]) - exponent;
    each_voxel(t, g, item.axis, [&](int from, std::int64_t to) {
      if (integers[from] != 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(p.fixed) + to,
                  static_cast<unsigned long long>(static_cast<long long>(integers[from]) << shift));
    });
  } else {
    each_voxel(t, g, item.axis, [&](int from, std::int64_t to) {
      if (shared.tile[from] != 0) atomicAdd(p.floating + to, shared.tile[from]);
    });
  }
}

constexpr int scale_blocks = 64;

/// Sum and largest of absolute values: partial ones by each block.
__global__ void magnitude_kernel(const float* values, std::int64_t n, float* partial) {
  __shared__ float scratch[threads / 32];
  float sum = 0, largest = 0;
  for (std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x; i < n;
       i += std::int64_t{threads} * gridDim.x) {
    const float value = fabsf(values[i]);
    sum += value;
    largest = fmaxf(largest, value);
  }
  sum = over_block(sum, scratch, [](float a, float b) { return a + b; });
  largest = over_block(largest, scratch, [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x == 0) {
    partial[2 + 2 * blockIdx.x] = sum;
    partial[3 + 2 * blockIdx.x] = largest;
  }
}

/// The largest power of two that keeps (all values or the largest) times `weight` below 2^61.
__global__ void scale_kernel(float* partial, bool of_sum, float weight) {
  float bound = 0;
  for (int i = 0; i < scale_blocks; ++i) bound = of_sum ? bound + partial[2 + 2 * i] : fmaxf(bound, partial[3 + 2 * i]);
  bound *= weight;
  partial[of_sum ? 1 : 0] = bound > 0 ? ldexpf(1.0f, max(-120, min(120, 60 - ilogbf(bound) - 1))) : 1.0f;
}

__global__ void finish_kernel(const long long* sums, const float* scale, std::int64_t n, float* values,
                              bool accumulate) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= n) return;
  const float value = static_cast<float>(sums[i]) / *scale;
  values[i] = accumulate ? values[i] + value : value;
}

__global__ void take_rows_kernel(RowsOf rows, const float* all, float* y, bool accumulate) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= rows.count) return;
  const std::int64_t row = rows.first + i * rows.stride;
  float& to = y[rows.compact ? i : row];
  to = accumulate ? to + all[row] : all[row];
}

__global__ void spread_rows_kernel(RowsOf rows, const float* y, float* all) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= rows.count) return;
  const std::int64_t row = rows.first + i * rows.stride;
  all[row] = y[rows.compact ? i : row];
}

template <Model model>
std::size_t shared_bytes(const LinePlan& plan, const LineTables& tables) {
  return (static_cast<std::size_t>(plan.shared_floats()) +
          (tables.tof_table.entry_per_mm > 0 ? TofTable::entries + 4 : 0) +
          (model == Model::table ? 2 * tube_entries : 0)) *
         sizeof(float);
}

template <Model model, Sums sums>
void start(Stream& stream, const LinePlan& plan, const Arguments& p, bool forward) {
  const std::size_t bytes = shared_bytes<model>(plan, p.tables);
  auto* kernel = forward ? forward_kernel<model, sums> : back_kernel<model, sums>;
  BACKLIT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  stream.launch(forward ? "lines forward" : "lines back", dim3(static_cast<unsigned>(plan.item_count())), threads,
                bytes, kernel, p);
}

void start(Stream& stream, const LinePlan& plan, const Arguments& p, Sums sums, bool forward, bool thin) {
  const auto by_sums = [&](auto model) {
    if (sums == Sums::fixed)
      start<decltype(model)::value, Sums::fixed>(stream, plan, p, forward);
    else
      start<decltype(model)::value, Sums::floating>(stream, plan, p, forward);
  };
  if (thin)
    by_sums(std::integral_constant<Model, Model::joseph>{});
  else if (p.tables.weights)
    by_sums(std::integral_constant<Model, Model::table>{});
  else
    by_sums(std::integral_constant<Model, Model::gauss>{});
}

Arguments arguments(const LinePlan& plan, const LineTables& tables) {
  Arguments p{};
  for (int axis = 0; axis < 3; ++axis) p.tiling[axis] = plan.tiling(axis);
  p.records = plan.records();
  p.visit_lines = plan.visit_lines();
  p.visit_slices = plan.visit_slices();
  p.items = plan.items();
  p.tables = tables;
  return p;
}

void choose_scale(Stream& stream, LineScratch& scratch, const float* values, std::int64_t n, bool of_sum,
                  float weight) {
  stream.launch("magnitude", scale_blocks, threads, 0, magnitude_kernel, values, n, scratch.scale.data());
  stream.launch("scale", 1, 1, 0, scale_kernel, scratch.scale.data(), of_sum, weight);
}

}  // namespace

void prepare(LineScratch& scratch, std::int64_t lines, std::int64_t voxels) {
  if (scratch.lines.count() != lines) scratch.lines = DeviceBuffer<long long>(lines);
  if (scratch.voxels.count() != voxels) scratch.voxels = DeviceBuffer<long long>(voxels);
  if (scratch.scale.count() == 0) scratch.scale = DeviceBuffer<float>(2 + 2 * scale_blocks);
}

void take_rows(Stream& stream, const RowsOf& rows, const float* all, float* y, bool accumulate) {
  if (rows.count > 0)
    stream.launch("take rows", blocks(rows.count, threads), threads, 0, take_rows_kernel, rows, all, y, accumulate);
}

void spread_rows(Stream& stream, const RowsOf& rows, const float* y, float* all, std::int64_t count) {
  BACKLIT_CUDA(cudaMemsetAsync(all, 0, static_cast<std::size_t>(count) * sizeof(float), stream));
  if (rows.count > 0)
    stream.launch("spread rows", blocks(rows.count, threads), threads, 0, spread_rows_kernel, rows, y, all);
}

void forward_lines(Stream& stream, const LinePlan& plan, const LineTables& tables, LineScratch& scratch, Sums sums,
                   bool thin, const float* image, std::int64_t voxels, float* y, bool accumulate) {
  Arguments p = arguments(plan, tables);
  p.input = image;
  if (sums == Sums::fixed) {
    choose_scale(stream, scratch, image, voxels, false, tables.most_sum);
    BACKLIT_CUDA(cudaMemsetAsync(scratch.lines.data(), 0, scratch.lines.bytes(), stream));
  } else if (!accumulate) {
    BACKLIT_CUDA(cudaMemsetAsync(y, 0, static_cast<std::size_t>(plan.lines()) * sizeof(float), stream));
  }
  p.fixed = scratch.lines.data();
  p.floating = y;
  p.scale = scratch.scale.data();
  if (plan.item_count() > 0) start(stream, plan, p, sums, true, thin);
  if (sums == Sums::fixed)
    stream.launch("line sums", blocks(plan.lines(), threads), threads, 0, finish_kernel, scratch.lines.data(),
                  scratch.scale.data(), plan.lines(), y, accumulate);
}

void back_lines(Stream& stream, const LinePlan& plan, const LineTables& tables, LineScratch& scratch, Sums sums,
                bool thin, const float* y, float* image, std::int64_t voxels, bool accumulate) {
  Arguments p = arguments(plan, tables);
  p.input = y;
  if (sums == Sums::fixed) {
    choose_scale(stream, scratch, y, plan.lines(), true, tables.most_weight);
    BACKLIT_CUDA(cudaMemsetAsync(scratch.voxels.data(), 0, scratch.voxels.bytes(), stream));
  } else if (!accumulate) {
    BACKLIT_CUDA(cudaMemsetAsync(image, 0, static_cast<std::size_t>(voxels) * sizeof(float), stream));
  }
  p.fixed = scratch.voxels.data();
  p.floating = image;
  p.scale = scratch.scale.data();
  if (plan.item_count() > 0) start(stream, plan, p, sums, false, thin);
  if (sums == Sums::fixed)
    stream.launch("voxel sums", blocks(voxels, threads), threads, 0, finish_kernel, scratch.voxels.data(),
                  scratch.scale.data() + 1, voxels, image, accumulate);
}

}  // namespace backlit::cuda

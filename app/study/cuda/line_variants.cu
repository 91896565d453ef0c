// Kernels for lines through an image that are slower than tiles with a thread for each line (docs/notebook has the
// numbers). One of them is wrong: it adds without atomic operations, which shows how often threads collide.
#include "cuda/lines_of_response/kernels.cuh"
#include "study/cuda/line_variant.hpp"

namespace backlit::cuda {
namespace {

constexpr LineKernel tiles{LineShape::gauss, Sums::fixed};

/// A warp processes a line through a tile, with one slice for each thread.
template <bool forward>
__global__ void __launch_bounds__(tiles.threads, 2) warp_kernel(const __grid_constant__ Arguments p) {
  const auto [item, g, t, shared] = work_of_block<tiles.model>(p);
  int exponent = 0;
  if constexpr (forward) {
    load_tile(p, t, item.axis, shared.tile);
  } else {
    for (int i = threadIdx.x; i < floats_of(t); i += tiles.threads) shared.tile[i] = 0;
    if (!scale_block(p, item, exponent)) return;
  }
  __syncthreads();
  const TubeTable tube = p.tables.tubes[item.kernel];
  const float whole = ldexpf(whole_of<tiles.model>(p, tube), exponent);
  const int lane = threadIdx.x % 32;
  with_taps<tiles, false>(item.taps, [&](auto taps) {
    for (std::int64_t v = item.begin + threadIdx.x / 32; v < item.end; v += tiles.threads / 32) {
      const auto [line, r, first, count] = visit_at(p, v);
      const Footprint f = footprint_of<tiles.model>(r, g, tube, p.tables.tof_table);
      [[maybe_unused]] const float value = forward ? 0.0f : p.input[line] * whole;
      float sum = 0;
      for (int k = first + lane; k < first + count; k += 32)
        in_slice<tiles>(r, f, t, item.taps, k, shared.tof, [&](const Meeting& m) {
          float part = 0;
          each_tap<decltype(taps)::value, tiles>(t, item.taps, f, m, shared.table, [&](int voxel, float w) {
            if constexpr (forward)
              part = fmaf(w, shared.tile[voxel], part);
            else
              add_to<tiles>(shared.tile, voxel, w, m.share * value);
          });
          sum = fmaf(m.share, part, sum);
        });
      if constexpr (forward) {
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
        if (lane == 0) give<tiles.sums>(p, line, sum * whole);
      }
    }
  });
  __syncthreads();
  if constexpr (!forward) write_tile<tiles.sums>(p, t, item.axis, shared.tile, exponent);
}

/// A thread processes a line, in the order of the list, through the whole image in global memory. The transpose adds in
/// floating point.
template <bool forward>
__global__ void __launch_bounds__(256) global_kernel(const __grid_constant__ Arguments p, std::int64_t lines) {
  const std::int64_t line = blockIdx.x * std::int64_t{256} + threadIdx.x;
  if (line >= lines) return;
  const LineRecord r = p.records[line];
  const Tiling& g = p.tiling[r.axis_and_kernel & 3];
  const TubeTable tube = p.tables.tubes[r.axis_and_kernel >> 2];
  const Footprint f = footprint_of<LineShape::gauss>(r, g, tube, p.tables.tof_table);
  Lor<float> l{static_cast<int>(r.axis_and_kernel & 3), r.a, r.da, r.b, r.db, r.start, r.end, f.step, r.tof};
  const float window = f.tof_step > 0 ? p.tables.tof_table.reach_mm / f.step : -1.0f;
  const SliceRange all = slices_within(l, 0.0f, float(g.size[0] - 1), 0.0f, float(g.size[1] - 1), 0.0f,
                                       float(g.size[2] - 1), f.reach_a, f.reach_b, window);
  const float whole = whole_of<LineShape::gauss>(p, tube), value = forward ? 0.0f : p.input[line] * whole;
  float sum = 0;
  for (int k = all.first; k <= all.last; ++k) {
    float share = fminf(r.end, k + 0.5f) - fmaxf(r.start, k - 0.5f);
    if (f.tof_step > 0) share *= tof_factor(fabsf(k - r.tof) * f.tof_step, p.tables.tof);
    if (!(share > 0)) continue;
    const float a = fmaf(k, r.da, r.a), b = fmaf(k, r.db, r.b);
    const int a0 = max(0, __float2int_ru(a - f.reach_a)), a1 = min(g.size[1] - 1, __float2int_rd(a + f.reach_a));
    const int b0 = max(0, __float2int_ru(b - f.reach_b)), b1 = min(g.size[2] - 1, __float2int_rd(b + f.reach_b));
    for (int j = b0; j <= b1; ++j)
      for (int i = a0; i <= a1; ++i) {
        const float x = i - a, y = j - b, e = fmaf(fmaf(f.aa, x, f.ab2 * y), x, f.bb * y * y);
        if (!(e < f.cut)) continue;
        const std::int64_t voxel = k * g.stride[0] + i * g.stride[1] + j * g.stride[2];
        const float w = exp2_of_minus(e) * share;
        if constexpr (forward)
          sum = fmaf(w, p.input[voxel], sum);
        else
          atomicAdd(p.floating + voxel, w * value);
      }
  }
  if constexpr (forward) p.floating[line] += sum * whole;
}

/// Each voxel of a tile gathers from all lines that cross the tile, some lines at a time in shared memory.
__global__ void __launch_bounds__(256) voxel_kernel(const __grid_constant__ Arguments p) {
  constexpr int batch = 256;
  struct Line {
    float a, da, b, db, aa, ab2, bb, cut, value, start, end, tof, tof_step;
    int first, last;
  };
  __shared__ Line batched[batch];
  const WorkItem item = p.items[blockIdx.x];
  const Tiling& g = p.tiling[item.axis];
  const Tile t = tile_of(g, item);
  const TubeTable tube = p.tables.tubes[item.kernel];
  const float whole = whole_of<LineShape::gauss>(p, tube);
  const int voxels = t.main * t.a * t.b;
  for (std::int64_t begin = item.begin; begin < item.end; begin += batch) {
    const int n = static_cast<int>(min(std::int64_t{batch}, item.end - begin));
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < n) {
      const auto [line, r, first, count] = visit_at(p, begin + threadIdx.x);
      const Footprint f = footprint_of<LineShape::gauss>(r, g, tube, p.tables.tof_table);
      batched[threadIdx.x] = {
          r.a - t.a0, r.da,  r.b - t.b0, r.db,       f.aa,  f.ab2,        f.bb, f.cut, p.input[line] * whole,
          r.start,    r.end, r.tof,      f.tof_step, first, first + count};
    }
    __syncthreads();
    for (int i = threadIdx.x; i < voxels; i += 256) {
      const int a = i % t.a, b = i / t.a % t.b, k = i / t.a / t.b;
      const float s = t.main0 + k;
      float sum = 0;
      for (int v = 0; v < n; ++v) {
        const Line& l = batched[v];
        if (k < l.first || k >= l.last) continue;
        const float x = a - fmaf(s, l.da, l.a), y = b - fmaf(s, l.db, l.b);
        const float e = fmaf(fmaf(l.aa, x, l.ab2 * y), x, l.bb * y * y);
        if (!(e < l.cut)) continue;
        float share = fminf(l.end, s + 0.5f) - fmaxf(l.start, s - 0.5f);
        if (l.tof_step > 0) share *= tof_factor(fabsf(s - l.tof) * l.tof_step, p.tables.tof);
        sum = fmaf(fmaxf(share, 0.0f) * l.value, exp2_of_minus(e), sum);
      }
      if (sum != 0)
        atomicAdd(p.floating + (t.main0 + k) * g.stride[0] + (t.a0 + a) * g.stride[1] + (t.b0 + b) * g.stride[2], sum);
    }
  }
}

template <int threads, Extra extra = Extra::none>
constexpr auto* forward_with = forward_kernel<LineShape::gauss, Sums::fixed, threads, extra>;
template <int threads, Extra extra = Extra::none>
constexpr auto* back_with = back_kernel<LineShape::gauss, Sums::fixed, threads, extra>;

}  // namespace

bool start_variant(Stream& stream, const LinePlan& plan, const Arguments& p, const LineVariant& v, bool forward) {
  using Body = LineVariant::Body;
  const unsigned groups = blocks(plan.lines(), 256);
  const auto tiled = [&](int threads, auto* kernel) {
    launch_tiles(stream, plan, p, tiles.model, threads, forward, kernel);
    return true;
  };
  const auto plain = [&](unsigned grid, auto* kernel, auto... more) {
    stream.launch(forward ? "lines forward" : "lines back", grid, 256, 0, kernel, p, more...);
    return true;
  };
  if (v.body == Body::warp) return forward ? tiled(512, warp_kernel<true>) : tiled(512, warp_kernel<false>);
  if (v.body == Body::global)
    return forward ? plain(groups, global_kernel<true>, plan.lines())
                   : plain(groups, global_kernel<false>, plan.lines());
  if (v.body == Body::voxels && !forward) return plain(static_cast<unsigned>(plan.item_count()), voxel_kernel);
  if (v.threads == 256) return forward ? tiled(256, forward_with<256>) : tiled(256, back_with<256>);
  if (v.threads == 1024) return forward ? tiled(1024, forward_with<1024>) : tiled(1024, back_with<1024>);
  if (v.looped)
    return forward ? tiled(512, forward_with<512, Extra::looped>) : tiled(512, back_with<512, Extra::looped>);
  if (v.precise)
    return forward ? tiled(512, forward_with<512, Extra::precise>) : tiled(512, back_with<512, Extra::precise>);
  if (v.racy && !forward) return tiled(512, back_with<512, Extra::racy>);
  if (v.half && forward) return tiled(512, forward_with<512, Extra::half>);
  return false;
}

}  // namespace backlit::cuda

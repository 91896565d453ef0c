// The weights of a line in the slices of a tile.
#pragma once

#include <type_traits>

#include "cuda/lines_of_response/kernel.hpp"
#include "cuda/lines_of_response/tile.cuh"

namespace backlit::cuda {

/// A line's footprint on slices. Squares are in units of the exponent (Gaussians) or of the table's entries.
struct Footprint {
  float aa, ab2, bb, cut, over_aa;
  float reach_a, reach_b;
  float step, tof_step;
};

template <LineShape model>
__device__ Footprint footprint_of(const LineRecord& r, const Tiling& g, const TubeTable& tube, const TofTable& tof) {
  Footprint f;
  const float slope_a = r.da * g.spacing[1] / g.spacing[0], slope_b = r.db * g.spacing[2] / g.spacing[0];
  const float square = 1 + slope_a * slope_a + slope_b * slope_b;
  f.step = g.spacing[0] * sqrtf(square);
  f.tof_step = f.step * tof.entry_per_mm;
  if (model == LineShape::thin) {
    f.reach_a = f.reach_b = 1;
    return f;
  }
  const float unit = model == LineShape::gauss ? tube.gauss_per_mm2 : tube.entry_per_mm2, over = 1 / square;
  f.aa = unit * g.spacing[1] * g.spacing[1] * (1 - slope_a * slope_a * over);
  f.bb = unit * g.spacing[2] * g.spacing[2] * (1 - slope_b * slope_b * over);
  f.ab2 = -2 * unit * g.spacing[1] * g.spacing[2] * slope_a * slope_b * over;
  f.cut = unit * tube.radius * tube.radius;
  f.over_aa = 1 / f.aa;
  f.reach_a = tube.radius / g.spacing[1] * sqrtf(1 + slope_a * slope_a);
  f.reach_b = tube.radius / g.spacing[2] * sqrtf(1 + slope_b * slope_b);
  return f;
}

__device__ inline float exp2_of_minus(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(-x));
  return y;
}

template <LineKernel kernel>
__device__ __forceinline__ float gauss(float x) {
  if constexpr (kernel.extra == Extra::precise) return expf(-0.69314718f * x);
  return exp2_of_minus(x);
}

/// The weight at squared distance e.
template <LineKernel kernel>
__device__ __forceinline__ float weight_of(float e, const float2* table) {
  if constexpr (kernel.model == LineShape::gauss) {
    return gauss<kernel>(e);
  } else {
    const int entry = static_cast<int>(e);
    const float2 w = table[entry];
    return fmaf(e - entry, w.y, w.x);
  }
}

/// The place where a line meets a slice of a tile.
struct Meeting {
  float share;   ///< common factor of all weights in the slice
  int base;      ///< index in the tile of the slice's first voxel
  int ia, ib;    ///< the first tap, voxels of the tile
  float fa, fb;  ///< from the line to the first tap
};

/// Calls use(index in the tile, weight) for N taps a side, all of which lie in the tile or its margins.
template <int N, LineKernel kernel, class Use>
__device__ __forceinline__ void each_unrolled_tap(const Tile& t, const Footprint& f, const Meeting& m,
                                                  const float2* table, Use&& use) {
  const int at = m.base + m.ib * t.row + m.ia;
  float square_a[N], cross_a[N];
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const float x = m.fa + i;
    square_a[i] = f.aa * x * x;
    cross_a[i] = f.ab2 * x;
  }
#pragma unroll
  for (int j = 0; j < N; ++j) {
    const float y = m.fb + j, square_b = f.bb * y * y;
    if constexpr (kernel.model == LineShape::gauss) {
      const float factor = gauss<kernel>(square_b), cut = f.cut - square_b;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const float e = fmaf(cross_a[i], y, square_a[i]);
        if (e < cut) use(at + j * t.row + i, gauss<kernel>(e) * factor);
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const float e = fmaf(cross_a[i], y, square_a[i]) + square_b;
        if (e < f.cut) use(at + j * t.row + i, weight_of<kernel>(e, table));
      }
    }
  }
}

/// The same for any number of taps for which tiles have margins.
template <LineKernel kernel, class Use>
__device__ __forceinline__ void each_looped_tap(const Tile& t, int taps, const Footprint& f, const Meeting& m,
                                                const float2* table, Use&& use) {
  const int at = m.base + m.ib * t.row + m.ia;
  for (int j = 0; j < taps; ++j) {
    const float y = m.fb + j, square_b = f.bb * y * y, cross = f.ab2 * y;
#pragma unroll 4
    for (int i = 0; i < taps; ++i) {
      const float x = m.fa + i, e = fmaf(fmaf(f.aa, x, cross), x, square_b);
      if (e < f.cut) use(at + j * t.row + i, weight_of<kernel>(e, table));
    }
  }
}

/// The same for tubes without margins: rows of the tile, each from the tube's beginning to its end.
template <LineKernel kernel, class Use>
__device__ __forceinline__ void each_row_of_taps(const Tile& t, int taps, const Footprint& f, const Meeting& m,
                                                 const float2* table, Use&& use) {
  const int first = max(0, -m.ib), last = min(taps, t.b - m.ib), low = max(0, -m.ia), high = min(taps, t.a - m.ia);
  for (int j = first; j < last; ++j) {
    const float y = m.fb + j, square_b = f.bb * y * y, cross = f.ab2 * y;
    const float middle = -0.5f * cross * f.over_aa, square = middle * middle - (square_b - f.cut) * f.over_aa;
    if (!(square > 0)) continue;
    const float half = sqrtf(square);
    const int begin = max(low, __float2int_ru(middle - half - m.fa));
    const int end = min(high, __float2int_rd(middle + half - m.fa) + 1), at = m.base + (m.ib + j) * t.row + m.ia;
#pragma unroll 4
    for (int i = begin; i < end; ++i) {
      const float x = m.fa + i, e = fmaf(fmaf(f.aa, x, cross), x, square_b);
      if (e < f.cut) use(at + i, weight_of<kernel>(e, table));
    }
  }
}

/// In place of a number of taps: the number is known at run time only, with margins or without.
constexpr int looped = 0, without_margins = -1;

/// Calls use(index in the tile, weight) for the voxels with a weight in a slice, without the slice's share. There are N
/// taps a side, or `taps`.
template <int N, LineKernel kernel, class Use>
__device__ __forceinline__ void each_tap(const Tile& t, int taps, const Footprint& f, const Meeting& m,
                                         const float2* table, Use&& use) {
  if constexpr (kernel.model == LineShape::thin) {
    const float high_a = -m.fa, high_b = -m.fb;  // the first tap lies below the line
    const int at = m.base + m.ib * t.row + m.ia;
    use(at, (1 - high_a) * (1 - high_b));
    use(at + 1, high_a * (1 - high_b));
    use(at + t.row, (1 - high_a) * high_b);
    use(at + t.row + 1, high_a * high_b);
  } else if constexpr (N > 0) {
    each_unrolled_tap<N, kernel>(t, f, m, table, use);
  } else if constexpr (N == looped) {
    each_looped_tap<kernel>(t, taps, f, m, table, use);
  } else {
    each_row_of_taps<kernel>(t, taps, f, m, table, use);
  }
}

/// Time of flight's factor; e is the distance from its centre in entries of the table.
__device__ __forceinline__ float tof_factor(float e, const float* tof) {
  const int entry = min(static_cast<int>(e), TofTable::entries - 1);
  return e < TofTable::entries ? fmaf(e - entry, tof[entry + 1] - tof[entry], tof[entry]) : 0.0f;
}

/// Calls slice(Meeting) when the line has a share in slice k of the tile.
template <LineKernel kernel, class Slice>
__device__ __forceinline__ void in_slice(const LineRecord& r, const Footprint& f, const Tile& t, int taps, int k,
                                         const float* tof, Slice&& slice) {
  const float s = t.main0 + k;
  const float a = fmaf(s, r.da, r.a) - t.a0, b = fmaf(s, r.db, r.b) - t.b0;
  int ia, ib;
  if (kernel.model == LineShape::thin) {
    ia = __float2int_rd(a);
    ib = __float2int_rd(b);
  } else {
    ia = __float2int_ru(a - f.reach_a);
    ib = __float2int_ru(b - f.reach_b);
  }
  if (static_cast<unsigned>(ia + taps - 1) >= static_cast<unsigned>(t.a + taps - 1) ||
      static_cast<unsigned>(ib + taps - 1) >= static_cast<unsigned>(t.b + taps - 1))
    return;
  float share = fminf(r.end, s + 0.5f) - fmaxf(r.start, s - 0.5f);
  if (kernel.model == LineShape::thin) share *= f.step;
  if (f.tof_step > 0) share *= tof_factor(fabsf(s - r.tof) * f.tof_step, tof);
  if (share > 0) slice(Meeting{share, first_voxel(t) + k * t.slice, ia, ib, ia - a, ib - b});
}

/// Calls f(number of taps a side, or the kind of loop) with a constant. `all`: all numbers that have their own loops,
/// otherwise only those of tubes 3 voxels wide.
template <LineKernel kernel, bool all, class F>
__device__ __forceinline__ void with_taps(int taps, F&& f) {
  if constexpr (kernel.model == LineShape::thin) {
    f(std::integral_constant<int, 2>{});
  } else {
    if constexpr (kernel.extra != Extra::looped) {
      if (taps == 3) return f(std::integral_constant<int, 3>{});
      if (taps == 4) return f(std::integral_constant<int, 4>{});
      if (taps == 5) return f(std::integral_constant<int, 5>{});
      if constexpr (all) {
        if (taps == 2) return f(std::integral_constant<int, 2>{});
        if (taps == 6) return f(std::integral_constant<int, 6>{});
        if (taps == 7) return f(std::integral_constant<int, 7>{});
        if (taps == 8) return f(std::integral_constant<int, 8>{});
      }
    }
    if (taps <= most_margin_taps) return f(std::integral_constant<int, looped>{});
    f(std::integral_constant<int, without_margins>{});
  }
}

}  // namespace backlit::cuda

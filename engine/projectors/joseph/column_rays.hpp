// The transpose of Joseph's method for views whose columns run along z, as nearly all do. All rays of a column then
// meet a slice perpendicular to x or y at the same place along the other axis. The rows of a slice are evenly spaced
// along z. So the work for a ray is done once a column, and voxels on top of each other share the rest.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <backlit/core/hd.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "geometry/view_map.hpp"

#if defined(__CUDA_ARCH__)
#define BACKLIT_UNROLL _Pragma("unroll")
#else
#define BACKLIT_UNROLL
#endif

namespace backlit {

/// The rays of a column in the slices perpendicular to `axis`. Slices and voxels are counted from the grid's middle.
struct ColumnRay {
  float place;  ///< coordinate along the other axis (x or y) in the middle slice
  float slope;  ///< voxels from slice to slice
  float rows;   ///< rows per voxel along z; cone: times the slices from source to detector
  float axis;   ///< 0: slices along x, 1: along y
};

/// Numbers that the columns of a view share. Rows are counted upwards along z from row `rows / 2`.
struct alignas(16) ColumnRayView {
  float a[3], w[3];    ///< factors of (x, y, 1), counted from the grid's middle; flat: column = a / w
  float source[2];     ///< x, y of the source, counted from the grid's middle
  float height;        ///< cone: z of the source, in voxels; parallel: 0
  float row;           ///< the row that sees the voxel at `height`
  float steepest;      ///< cone: most voxels sideways per voxel along the axis, of rays that go through the grid
  unsigned axes;       ///< bit m: some of its columns have axis m
  ViewMap<float> map;  ///< curved: gives the column of a point with these a and w
};

struct ColumnRays {
  std::vector<ColumnRayView> views;
  std::vector<ColumnRay> rays;  ///< [view][column]
  double most_rows = 0;         ///< largest number of rows per voxel along z
  bool parallel = false, flat = true;
  bool rows_run_down = false;  ///< row 0 is the highest
};

/// The reason why a scan's views have no such columns; empty when they have. `axes` as in column_rays().
std::string column_rays_refusal(const Scan&, const VolumeGrid&, std::span<const int> axes);

/// The columns of a scan that is not refused. `axes` = [view] the axis of the view's stack; empty: each column's rays
/// use their own main axis.
ColumnRays column_rays(const Scan&, const VolumeGrid&, std::span<const int> axes);

/// 1 / x: one instruction on a GPU, with an error of at most 1 ulp.
BACKLIT_HD inline float quick_reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return 1 / x;
#endif
}

/// a b + c, rounded down.
BACKLIT_HD inline float fma_down(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rd(a, b, c);
#else
  const double exact = static_cast<double>(a) * b + c;
  const auto near = static_cast<float>(exact);
  return near > exact ? std::nextafterf(near, -INFINITY) : near;
#endif
}
/// a + b, rounded down.
BACKLIT_HD inline float add_down(float a, float b) { return fma_down(1.0f, a, b); }

/// The pixels of a column between voxels on top of each other. `row` is the row of voxel -1, `step` the number of rows
/// per voxel. Gap k, 0 <= k <= K, lies above voxel k - 1 and ends with voxel k. Each row lies in one gap; a gap takes
/// at most R rows (R = 0: any number). For each gap calls add(k, share, per_row, values): `share` is the first row's
/// position from voxel k - 1 (0) to voxel k (1), times `whole`; each following row is `per_row` further; `values` holds
/// R rows. For R = 0 add() is called for each row. Loads come first, so that they wait for memory together; rows beside
/// the detector are 0.
template <int K, int R, class Load, class Add>
BACKLIT_HD inline void for_rows_between(float row, float step, float whole, int rows, Load&& load, Add&& add) {
  // Adding this number rounds to an integer and leaves it in the lowest bits. Rounding goes down in each step, or a row
  // exactly at a voxel could lie in the gap of another one.
  constexpr float rounder = 12582912.0f;
  constexpr int rounder_bits = 0x4B400000;
  const float per_row = whole * quick_reciprocal(step), above = row + 1;
  const int bias = rounder_bits - rows / 2;
  const auto place = [&](int k) { return fma_down(static_cast<float>(k), step, above); };
  const auto first_row = [&](int k) { return add_down(place(k), rounder); };
  const auto index = [&](float of) { return __builtin_bit_cast(int, of) - bias; };
  const auto share_of = [&](int k) { return fmaf((first_row(k) - rounder) - place(k), per_row, per_row); };
  using Value = decltype(load(0));
  if constexpr (R == 0) {
    BACKLIT_UNROLL
    for (int k = 0; k <= K; ++k) {
      float share = share_of(k);
      for (int n = index(first_row(k)), end = index(first_row(k + 1)); n < end; ++n, share += per_row) {
        if (static_cast<unsigned>(n) >= static_cast<unsigned>(rows)) continue;
        const Value value[1] = {load(n)};
        add(k, share, per_row, value);
      }
    }
  } else {
    Value value[K + 1][R];
    int begin = index(first_row(0));
    BACKLIT_UNROLL
    for (int k = 0; k <= K; ++k) {
      const int end = index(first_row(k + 1));
      BACKLIT_UNROLL
      for (int n = 0; n < R; ++n) {
        value[k][n] = Value{};
        if (begin + n < end && static_cast<unsigned>(begin + n) < static_cast<unsigned>(rows))
          value[k][n] = load(begin + n);
      }
      begin = end;
    }
    BACKLIT_UNROLL
    for (int k = 0; k <= K; ++k) add(k, share_of(k), per_row, value[k]);
  }
}

/// The same for at most one row per voxel (`pairs` = 1), so that at most two rows have a share in a voxel, or at most
/// two rows per voxel (`pairs` = 2), so that at most four have. Calls take(k, row, share) for voxels 0 <= k < K,
/// `pairs` times each. Interpolating between rows at `row`, times `share`, gives the parts of two rows.
template <int K, int pairs, class Take>
BACKLIT_HD inline void for_row_pairs(float row, float step, Take&& take) {
  constexpr float rounder = 12582912.0f;
  const float per_row = quick_reciprocal(step);
  const auto share_at = [&](float rows_away) {
    return fminf(fmaxf(fmaf(-fabsf(rows_away), per_row, 1.0f), 0.0f), 1.0f);
  };
  BACKLIT_UNROLL
  for (int k = 0; k < K; ++k) {
    const float at = fmaf(static_cast<float>(k + 1), step, row);
    const float before = ((at - 0.5f) + rounder) - rounder, past = at - before;
    BACKLIT_UNROLL
    for (int pair = 0; pair < pairs; ++pair) {
      const auto first = static_cast<float>(2 * pair - (pairs - 1));  // rows from `before`
      const float upper = share_at(past - first - 1), both = share_at(past - first) + upper;
      take(k, fmaf(upper, quick_reciprocal(fmaxf(both, 1e-20f)), before + first), both);
    }
  }
}

/// A voxel column at (x, y), counted from the grid's middle, relative to the slices along one axis of a view.
struct VoxelColumn {
  float slice, place;  ///< x and y for axis 0, y and x for axis 1
  float along;         ///< slices from the source
  int first, last;     ///< detector columns whose rays may pass within a voxel; none when last < first
};

template <bool flat>
BACKLIT_HD inline float column_of(const ColumnRayView& v, float x, float y) {
  const float a = fmaf(v.a[0], x, fmaf(v.a[1], y, v.a[2])), w = fmaf(v.w[0], x, fmaf(v.w[1], y, v.w[2]));
  if (!flat) return detector_position(v.map, a, 0.0f, w).column;
  return w > 0 ? a * quick_reciprocal(w) : 1e9f;
}

template <bool flat, bool parallel>
BACKLIT_HD inline VoxelColumn voxel_column(const ColumnRayView& v, int axis, float x, float y, int columns) {
  VoxelColumn c{axis == 0 ? x : y, axis == 0 ? y : x, axis == 0 ? x - v.source[0] : y - v.source[1], 0, -1};
  const float across = axis == 0 ? y - v.source[1] : x - v.source[0];
  if (!parallel && fabsf(across) - 1 > v.steepest * fabsf(c.along)) return c;
  const float lower = column_of<flat>(v, x - static_cast<float>(axis), y - static_cast<float>(1 - axis));
  const float upper = column_of<flat>(v, x + static_cast<float>(axis), y + static_cast<float>(1 - axis));
  const float low = fminf(lower, upper), high = fmaxf(lower, upper), end = static_cast<float>(columns - 1);
  if (!(high >= 0 && low <= end)) return c;
  constexpr float margin = 1e-3f;  // rounding
  c.first = static_cast<int>(ceilf(fmaxf(low - margin, 0.0f)));
  c.last = static_cast<int>(floorf(fminf(high + margin, end)));
  return c;
}

/// A ray column's share of a voxel column (0 where it does not pass), and its rows per voxel along z.
struct ColumnShare {
  float share, step;
};
BACKLIT_HD inline ColumnShare column_share(const ColumnRay& ray, const VoxelColumn& c, int axis, float per_along) {
  const float near = 1 - fabsf(fmaf(c.slice, ray.slope, ray.place) - c.place);
  const float step = ray.rows * per_along;
  const bool counts = ray.axis == static_cast<float>(axis) && near > 0 && step > 0;
  return {counts ? near : 0, step};
}

}  // namespace backlit

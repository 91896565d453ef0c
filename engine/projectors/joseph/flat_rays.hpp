// The transpose of Joseph's method for any flat detector: a voxel finds the rays that pass it in its slice. Consider
// pixels near the voxel's place on the detector. Their rays pass the voxel at distances that are linear in column and
// row, divided by a number that changes little from pixel to pixel.
#pragma once

#include <cmath>
#include <vector>

#include <backlit/core/hd.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "projectors/joseph/slice_steps.hpp"

namespace backlit {

/// A view. Coordinates are voxels counted from the grid's middle.
struct FlatView {
  float a[4], b[4],
      w[4];                 ///< factors of (x, y, z, 1): a / w = column, b / w = row, w = share of the ray before the
                            ///< point
  float source[3];          ///< parallel: the direction of the rays
  float column[3], row[3];  ///< one column step and one row step
  unsigned axes;            ///< bit m: some of its rays have main axis m
};

/// For scans with flat detectors.
std::vector<FlatView> flat_views(const Scan&, const VolumeGrid&);

/// A voxel's place in a view.
struct VoxelOnDetector {
  float column, row;
  float ray[3];  ///< direction through the voxel; cone: from the source to the detector
  float share;   ///< cone: share of the ray that lies before the voxel, at most 0 behind the source; parallel: 1
};
template <bool parallel>
BACKLIT_HD inline VoxelOnDetector voxel_on_detector(const FlatView& v, float x, float y, float z) {
  VoxelOnDetector at;
  at.share = parallel ? 1.0f : fmaf(v.w[0], x, fmaf(v.w[1], y, fmaf(v.w[2], z, v.w[3])));
  const float per_share = parallel ? 1.0f : 1 / at.share, from[3] = {x, y, z};
  at.column = per_share * fmaf(v.a[0], x, fmaf(v.a[1], y, fmaf(v.a[2], z, v.a[3])));
  at.row = per_share * fmaf(v.b[0], x, fmaf(v.b[1], y, fmaf(v.b[2], z, v.b[3])));
  for (int i = 0; i < 3; ++i) at.ray[i] = parallel ? v.source[i] : per_share * (from[i] - v.source[i]);
  return at;
}

/// The rays that pass a voxel in its slice along one axis. The ray of the pixel at `column` and `row` from the voxel's
/// place on the detector passes at ((column, row) . u, (column, row) . v) / (1 + (column, row) . w), in voxels.
struct PassingRays {
  float u[2], v[2], w[2];
  float columns, rows;  ///< distance from the voxel's place beyond which no ray passes near it
  bool any, all;        ///< rays that pass near it may have this main axis (any); they all have it (all)
};

/// Of rays that pass within a voxel, and within one more than `reach` along the second axis of the slice.
template <int axis, bool parallel>
BACKLIT_HD inline PassingRays passing_rays(const FlatView& view, const VoxelOnDetector& at, float reach = 0) {
  constexpr int m = axis, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  PassingRays p{};
  const float along = at.share * fabsf(at.ray[m]);
  const float aside = at.share * fmaxf(fabsf(at.ray[a]), fabsf(at.ray[b]));
  p.any = parallel ? main_axis(at.ray) == axis : at.share > 0 && aside - 1 - reach <= 1.001f * along;
  p.all = parallel || aside + 1 + reach < along;
  if (!p.any) return p;
  const float per_along = 1 / at.ray[m], slope_u = at.ray[a] * per_along, slope_v = at.ray[b] * per_along;
  const float(*const step[2])[3] = {&view.column, &view.row};
  for (int i = 0; i < 2; ++i) {
    p.u[i] = at.share * fmaf(-slope_u, (*step[i])[m], (*step[i])[a]);
    p.v[i] = at.share * fmaf(-slope_v, (*step[i])[m], (*step[i])[b]);
    p.w[i] = parallel ? 0 : per_along * (*step[i])[m];
  }
  // Without the division, the rectangle around the voxel is a parallelogram of pixels.
  const float per_area = 1 / fabsf(p.u[0] * p.v[1] - p.u[1] * p.v[0]);
  p.columns = per_area * fmaf(1 + reach, fabsf(p.u[1]), fabsf(p.v[1]));
  p.rows = per_area * fmaf(1 + reach, fabsf(p.u[0]), fabsf(p.v[0]));
  const float more = 1.01f / fmaxf(1 - fmaf(p.columns, fabsf(p.w[0]), p.rows * fabsf(p.w[1])), 0.1f);
  p.columns *= more;
  p.rows *= more;
  return p;
}

/// Where the ray of a pixel passes, in voxels from the voxel.
struct Passing {
  float u, v;
};
/// Of the pixel at `column` + `further` and `row`.
BACKLIT_HD inline Passing passing(const PassingRays& p, float column, float row, float further = 0) {
  const auto at = [&](const float* step) { return fmaf(further, step[0], fmaf(column, step[0], row * step[1])); };
#ifdef __CUDA_ARCH__
  const float scale = __fdividef(1.0f, 1 + at(p.w));
#else
  const float scale = 1 / (1 + at(p.w));
#endif
  return {scale * at(p.u), scale * at(p.v)};
}

/// The share of a voxel in the linear value of a ray that passes at this distance along an axis.
BACKLIT_HD inline float share_at(float distance) {
#ifdef __CUDA_ARCH__
  return __saturatef(1 - fabsf(distance));
#else
  return fmaxf(1 - fabsf(distance), 0.0f);
#endif
}

/// Whether the ray of this pixel has this main axis.
template <int axis>
BACKLIT_HD inline bool has_axis(const FlatView& view, const VoxelOnDetector& at, float column, float row) {
  float ray[3];
  for (int i = 0; i < 3; ++i) ray[i] = fmaf(column, view.column[i], fmaf(row, view.row[i], at.ray[i]));
  return main_axis(ray) == axis;
}

}  // namespace backlit

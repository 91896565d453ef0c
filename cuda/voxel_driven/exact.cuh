// Interpolation in software from linear views: common functions of the exact kernels.
#pragma once

#include "cuda/voxel_driven/device.cuh"

namespace backlit::cuda {

/// A column of voxels (i, j, 0...) in one view; pixels are counted from the detector's middle pixel.
template <bool flat>
class ColumnInView {
 public:
  __device__ ColumnInView(const ExactViews& views, const ExactView& view, int i, int j)
      : map_(view.map),
        x_(static_cast<float>(i - views.middle[0])),
        y_(static_cast<float>(j - views.middle[1])),
        middle_(views.middle[2]) {
    a_ = fmaf(map_.a[0], x_, fmaf(map_.a[1], y_, map_.a[3]));
    b_ = fmaf(map_.b[0], x_, fmaf(map_.b[1], y_, map_.b[3]));
    w_ = fmaf(map_.w[0], x_, fmaf(map_.w[1], y_, map_.w[3]));
  }
  /// Position of voxel k, and 1 / depth; false behind the source.
  __device__ bool at(int k, float& u, float& v, float& nearness) const {
    const float z = static_cast<float>(k - middle_);
    const float a = fmaf(map_.a[2], z, a_), b = fmaf(map_.b[2], z, b_), w = fmaf(map_.w[2], z, w_);
    if constexpr (flat) {
      nearness = __frcp_rn(w);
      u = a * nearness;
      v = b * nearness;
      return w > 0;
    } else {
      const auto place = detector_position(map_, a, b, w);
      u = place.column;
      v = place.row;
      nearness = 1 / place.depth;
      return place.depth > 0;
    }
  }

 private:
  const ViewMap<float>& map_;
  float x_, y_, a_, b_, w_;
  int middle_;
};

/// The interpolated value at (u, v), and the value for an image of ones.
struct Sample {
  float value, share;
};
__device__ inline Sample sample_image(const float* __restrict__ image, const ExactViews& views, float u, float v) {
  const int c = views.columns / 2, r = views.rows / 2;
  const float whole_u = floorf(u), whole_v = floorf(v);
  const float* const middle = image + r * views.columns + c;
  if (whole_u >= static_cast<float>(-c) && whole_u < static_cast<float>(views.columns - c - 1) &&
      whole_v >= static_cast<float>(-r) && whole_v < static_cast<float>(views.rows - r - 1)) {  // true for nearly all
    const float* const first = middle + static_cast<int>(whole_v) * views.columns + static_cast<int>(whole_u);
    const float* const second = first + views.columns;
    const float share_u = u - whole_u, share_v = v - whole_v;
    const float lower = fmaf(share_u, first[1] - first[0], first[0]);
    const float upper = fmaf(share_u, second[1] - second[0], second[0]);
    return {fmaf(share_v, upper - lower, lower), 1.0f};
  }
  const PlaneLayout plane{-c, views.columns - c, 1, -r, views.rows - r, views.columns};
  const auto side = [](float x, int low, int high) {
    return fminf(fmaxf(fminf(x - static_cast<float>(low - 1), static_cast<float>(high) - x), 0.0f), 1.0f);
  };
  return {interpolate(middle, plane, u, v), side(u, -c, views.columns - c) * side(v, -r, views.rows - r)};
}

}  // namespace backlit::cuda

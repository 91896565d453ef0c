// Emission seen through an attenuating object, plane by plane along the rays of a view (composited slices: Wallin,
// Zaidi's recursive slice-by-slice blur: Bai, Zeng, Gullberg, Phys. Med. Biol. 45 (2000) 1275; on graphics hardware:
// Mueller and Xu's MIC-GPU course). From the far plane to the near one, for every pixel's ray
//   image = T (kernel * image) + sqrt(T) e l
// with e the activity where the ray meets the plane, l the path to the next plane and T the share of photons that pass
// this path. Attenuation is kept normalised to [0, 1): A = 1 - exp(-mu h) for a path of `h` mm; T = (1 - A)^(l/h). The
// kernel is a Gaussian of small variance in pixels, so that variances add up from plane to plane.
#pragma once

#include <cmath>
#include <cstdint>

#include <backlit/core/hd.hpp>

namespace backlit {

/// Planes k = 0 (nearest to the detector) to count - 1 of one view. The points p of plane k, in voxel indices, fulfil
/// normal . p = first + k step.
struct PlaneStack {
  double normal[3];
  double first, step;
  std::int64_t count;
  double thickness;    ///< mm between neighbouring planes, perpendicular to them
  double distance[4];  ///< mm from a point (i, j, k, 1) to the detector's face, along the detector's normal
  double depth[4];     ///< divisor of magnification at a point (i, j, k, 1) (parallel: 1)
  double pixels[2];    ///< columns and rows per mm at depth 1
  double front;        ///< mm from the end of the grid to the face, at least 0
  double front_depth;  ///< depth at the end of the grid
};

/// A for `mu` in 1/mm and a path of `unit_length` mm.
inline float normalised_attenuation(float mu, double unit_length) {
  return static_cast<float>(-std::expm1(-static_cast<double>(mu) * unit_length));
}

/// Share of photons that pass a path of `ratio` times the one that attenuation is normalised to.
template <class T>
BACKLIT_HD inline T transmission(T attenuation, T ratio) {
  using std::pow;
  return pow(1 - attenuation, ratio);
}

inline constexpr int most_taps = 8;  ///< largest number on either side of a kernel's middle

/// Number of taps on either side of a kernel of this variance (pixels^2).
template <class T>
BACKLIT_HD inline int kernel_radius(T variance) {
  using std::ceil;
  using std::sqrt;
  if (!(variance > 0)) return 0;
  if (variance <= T(0.5)) return 1;
  const int r = static_cast<int>(ceil(3 * sqrt(variance)));
  return r < most_taps ? r : most_taps;
}

/// A kernel of this variance, for weight(). Up to variance 1/2 three taps have the variance exactly; samples of a
/// narrow Gaussian would not.
template <class T>
struct BlurKernel {
  T variance, scale;
  int radius;
};
template <class T>
BACKLIT_HD inline BlurKernel<T> blur_kernel(T variance) {
  using std::exp;
  BlurKernel<T> k{variance, 1, kernel_radius(variance)};
  if (k.radius < 2) return k;
  T sum = 1;
  for (int i = 1; i <= k.radius; ++i) sum += 2 * exp(-T(i * i) / (2 * variance));
  k.scale = 1 / sum;
  return k;
}
template <class T>
BACKLIT_HD inline T weight(const BlurKernel<T>& k, int offset) {
  using std::exp;
  const int i = offset < 0 ? -offset : offset;
  if (i > k.radius) return 0;
  if (k.radius == 0) return 1;
  if (k.radius == 1) return i == 0 ? 1 - k.variance : k.variance / 2;
  return k.scale * exp(-T(i * i) / (2 * k.variance));
}

/// Variance in mm^2 that a slab of `path` mm adds at `distance` mm from the detector's face, for a standard deviation
/// of 1 mm at 100 mm.
template <class T>
BACKLIT_HD inline T blur_variance(T path, T distance, bool by_distance) {
  if (!by_distance) return path / 100;
  return distance > 0 ? 2 * distance * path / 10000 : T(0);
}

}  // namespace backlit

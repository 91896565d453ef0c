// Penalties on differences between neighbouring voxels, as a matrix L(x). Both are sums of rho(t) with rho'(t) =
// omega(t) t and omega falling. So the gradient is L(x) x, and L(x) is an upper bound of the curvature everywhere
// (half-quadratic majorisation, Geman and Yang 1995). Conjugate gradients use L(x) d with a direction d.
//
//   qggmrf: rho(t) = c^2 / p  s^p / (1 + s^(p-q)), s = |t| / c, over the 26 neighbours, weighed by 1 / distance and
//           summing to 1 (Thibault, Sauer, Bouman and Hsieh, Med. Phys. 34 (2007) 4526): quadratic below c for p = 2,
//           near |t|^q above
//   tv:     c (sqrt(g^2 + c^2) - c), g the length of the forward differences (isotropic total variation, smoothed at c)
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>
#include <backlit/device/device_array.hpp>
#include <backlit/device/total_variation.hpp>

namespace backlit {

/// s^k for s >= 0 and k >= 0; on a GPU by the hardware's exponential and logarithm, to some 1e-6.
template <class T>
BACKLIT_HD inline T power(T s, T k) {
#if defined(__CUDA_ARCH__)
  return k > 0 ? exp2f(k * __log2f(s)) : T(1);
#else
  using std::pow;
  return pow(s, k);
#endif
}

struct NeighbourPenalty {
  enum class Kind { qggmrf, tv };
  Kind kind = Kind::qggmrf;
  float p = 2, q = 1.2f;  ///< qggmrf: 1 <= q <= p <= 2
  float c = 1;            ///< the difference above which edges are kept; in the volume's unit
  /// qggmrf: share of a neighbour. The index is the sum of 1, 2 and 4 for an offset along x, y and z.
  float share[8] = {};
  /// tv: (smallest spacing / spacing)^2 along x, y and z.
  float square[3] = {1, 1, 1};

  /// omega of a difference, or of a gradient's length.
  template <class T>
  BACKLIT_HD T omega(T t) const {
    using std::sqrt;
    T s = (t < 0 ? -t : t) / T(c);
    if (kind == Kind::tv) return 1 / sqrt(1 + s * s);
    if (p < 2 && s < T(1e-3)) s = T(1e-3);  // where p < 2 has a pole
    const T edge = power(s, T(p - q));
    const T value = (1 + T(q / p) * edge) / ((1 + edge) * (1 + edge));
    return p < 2 ? value / power(s, 2 - T(p)) : value;
  }
};

/// Shares and squares for voxels of this spacing. Throws InputError unless 1 <= q <= p <= 2 and c > 0.
NeighbourPenalty make_neighbour_penalty(NeighbourPenalty::Kind, double p, double q, double c, const Vec3& spacing);

/// Value (i, j, k) of L(x) d. Volumes are read as x(i, j, k).
template <class T, class Volume>
BACKLIT_HD inline T stiffness_row(const NeighbourPenalty& penalty, const int (&size)[3], int i, int j, int k,
                                  const Volume& x, const Volume& d) {
  T sum = 0;
  if (penalty.kind == NeighbourPenalty::Kind::qggmrf) {
    const T x0 = x(i, j, k), d0 = d(i, j, k);
    for (int c = -1; c <= 1; ++c)
      for (int b = -1; b <= 1; ++b)
        for (int a = -1; a <= 1; ++a) {
          const int step[3] = {i + a, j + b, k + c};
          bool inside = a != 0 || b != 0 || c != 0;
          for (int n = 0; n < 3; ++n) inside = inside && step[n] >= 0 && step[n] < size[n];
          if (!inside) continue;
          const T share = penalty.share[a * a + 2 * b * b + 4 * c * c];
          sum += share * penalty.omega(x0 - x(step[0], step[1], step[2])) * (d0 - d(step[0], step[1], step[2]));
        }
    return sum;
  }
  using std::sqrt;
  // A voxel is the start of its own forward differences, and the end of one forward difference of each neighbour before
  // it.
  for (int from = -1; from < 3; ++from) {
    int v[3] = {i, j, k};
    if (from >= 0 && --v[from] < 0) continue;
    T length = 0;
    for (int n = 0; n < 3; ++n) {
      if (v[n] + 1 >= size[n]) continue;
      int w[3] = {v[0], v[1], v[2]};
      ++w[n];
      const T t = x(w[0], w[1], w[2]) - x(v[0], v[1], v[2]);
      length += penalty.square[n] * t * t;
    }
    const T weight = penalty.omega(sqrt(length));
    for (int n = 0; n < 3; ++n) {
      if (from >= 0 && n != from) continue;
      if (v[n] + 1 >= size[n]) continue;
      int w[3] = {v[0], v[1], v[2]};
      ++w[n];
      const T t = d(w[0], w[1], w[2]) - d(v[0], v[1], v[2]);
      sum += (from < 0 ? -1 : 1) * penalty.square[n] * weight * t;
    }
  }
  return sum;
}

/// Implemented by backends that support these penalties. All arrays of a call have one shape.
class NeighbourOperations {
 public:
  virtual ~NeighbourOperations() = default;
  /// y = L(x) d, overwrites y. y is another array than x and d.
  virtual void stiffness(const NeighbourPenalty&, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) = 0;
  /// z = z + step Dx, each vector shortened to `radius`, in one pass: a step of total variation's dual.
  virtual void ascend(const Differences&, const DeviceArray& x, float step, float radius, const Field& z) = 0;
  /// A step of x against z, in one pass.
  virtual void descend(const Differences&, const Field& z, const Descent&) = 0;
};

}  // namespace backlit

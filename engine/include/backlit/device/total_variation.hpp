// Total variation by its dual: TV(x) = max z . Dx over fields z of vectors no longer than 1 (Chambolle, J. Math.
// Imaging Vis. 20 (2004) 89). D takes forward differences between voxels of any spacing; they are 0 at the last voxel
// of each axis:
//
//   TV(x) = sum over voxels of |Dx|,  (Dx)_n = weight_n (x one step along n - x),  weight_n = least spacing / spacing_n
//
// A field is three arrays of the volume's shape, one an axis.
#pragma once

#include <array>
#include <cmath>

#include <backlit/core/hd.hpp>
#include <backlit/device/device_array.hpp>

namespace backlit {

/// The weights of D.
struct Differences {
  float weight[3] = {1, 1, 1};
  /// Upper bound of |D|^2, 12 for cubes. Sums of absolute values: at most 2 in a row of D, at most 6 in a column.
  float square_norm() const {
    float sum = 0;
    for (const float w : weight) sum += 4 * w * w;
    return sum;
  }
};

Differences make_differences(const Vec3& spacing);

/// A field on the device; it does not own its arrays.
using Field = std::array<DeviceArray*, 3>;

/// A step of x against D'z (NeighbourOperations::descend): to = from - D'z. Where `weights` is set: to = from - weights
/// (gradient + 2 D'z - before), then before = D'z. Results are clamped to [low, high]. `to` may be `from`.
struct Descent {
  const DeviceArray& from;
  DeviceArray& to;
  float low, high;
  const DeviceArray* weights = nullptr;
  const DeviceArray* gradient = nullptr;  ///< with weights
  DeviceArray* before = nullptr;          ///< with weights: D'z of the previous step
};

/// The vector (a, b, c), shortened to `radius` where it is longer.
template <class T>
BACKLIT_HD inline void shorten(T& a, T& b, T& c, T radius) {
  using std::sqrt;
  const T square = a * a + b * b + c * c;
  if (square <= radius * radius) return;
  const T share = radius / sqrt(square);
  a *= share;
  b *= share;
  c *= share;
}

/// Component n of Dx at a voxel. Volumes are read as x(i, j, k).
template <class T, class Volume>
BACKLIT_HD inline T difference(const Differences& d, int n, const int (&size)[3], int i, int j, int k,
                               const Volume& x) {
  const int at[3] = {i, j, k};
  if (at[n] + 1 >= size[n]) return 0;
  return T(d.weight[n]) * (x(i + (n == 0), j + (n == 1), k + (n == 2)) - x(i, j, k));
}

/// D'z at a voxel. The components of z must be 0 where D has no difference.
template <class T, class Volume>
BACKLIT_HD inline T divergence(const Differences& d, int i, int j, int k, const Volume& a, const Volume& b,
                               const Volume& c) {
  T sum = -T(d.weight[0]) * a(i, j, k) - T(d.weight[1]) * b(i, j, k) - T(d.weight[2]) * c(i, j, k);
  if (i > 0) sum += T(d.weight[0]) * a(i - 1, j, k);
  if (j > 0) sum += T(d.weight[1]) * b(i, j - 1, k);
  if (k > 0) sum += T(d.weight[2]) * c(i, j, k - 1);
  return sum;
}

}  // namespace backlit

// Quarter-turn orbits (projection packing, Mueller and Xu; RGBA packing, Zhao et al. 2009): the voxels (x, y), (-y, x),
// (-x, -y), (y, -x) are seen by the views at phi, phi + 90, phi + 180, phi + 270 degrees at the same detector position.
// With a = x cos + y sin (towards the source) and b = y cos - x sin (along u), an orbit's points have
// (a, b), (-b, a), (-a, -b), (b, -a) in the view at phi: two dot products give four positions. Channel c of a texel
// that packs the four views, fetched at the position of point j, belongs to point (j + c) mod 4.
#pragma once

#include <cstdint>

#include <backlit/core/hd.hpp>

namespace backlit {

template <class T>
struct OrbitPoint {
  T a, b;
};

/// Point j (0..3) of the orbit whose point 0 has (a, b).
template <class T>
BACKLIT_HD inline OrbitPoint<T> orbit_point(T a, T b, int j) {
  switch (j & 3) {
    case 0:
      return {a, b};
    case 1:
      return {-b, a};
    case 2:
      return {-a, -b};
    default:
      return {b, -a};
  }
}

/// Grid indices of an orbit's four voxel columns in an n x n slice whose middle is the axis. An orbit's number is its
/// first point's offset (p, q) from the middle, both in [0, orbit_side(n)).
struct OrbitColumn {
  int i, j;
};
BACKLIT_HD inline OrbitColumn orbit_column(int p, int q, int point, int n) {
  // Twice the offset from the middle: odd for even n, even for odd n.
  const int odd = n & 1;
  const int x = 2 * p + 1 - odd, y = 2 * q + 1 - odd;
  const int xs = point == 0 ? x : point == 1 ? -y : point == 2 ? -x : y;
  const int ys = point == 0 ? y : point == 1 ? x : point == 2 ? -y : -x;
  return {(xs + n - 1) / 2, (ys + n - 1) / 2};
}
BACKLIT_HD inline int orbit_side(int n) { return (n + 1) / 2; }

/// Whether (p, q) is an orbit of its own. For odd n, the columns with q = 0 < p are those with p = 0 < q after a turn.
/// The middle column is an orbit of one voxel, whose four points coincide.
BACKLIT_HD inline bool orbit_exists(int p, int q, int n) { return !(n & 1) || q > 0 || p == 0; }
BACKLIT_HD inline bool orbit_is_axis(int p, int q, int n) { return (n & 1) && p == 0 && q == 0; }

}  // namespace backlit

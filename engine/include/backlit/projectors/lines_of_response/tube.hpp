// Tubes of response: lines of response as wide as the detectors make them. A voxel's weight f(r) depends only on its
// distance r from the line's axis; a table holds f. Pratx, Chinn, Olcott, Levin, IEEE Trans. Med. Imaging 28 (2009)
// 435; Cui, Pratx, Prevrhal, Levin, Med. Phys. 38 (2011) 6775.
#pragma once

#include <backlit/projectors/lines_of_response/lor.hpp>

namespace backlit {

/// Entries of a table of f: equally spaced in r^2 from 0 to radius^2, so that no square root is taken.
inline constexpr int tube_entries = 2048;

/// Default shape parameter alpha of blobs: Matej and Lewitt, IEEE Trans. Med. Imaging 15 (1996) 68.
inline constexpr double blob_alpha = 10.4;

/// Squared distances of a slice's voxels from the line. At (i, j) voxels from the point where the line meets the slice,
/// the squared distance is |d|^2 - (d.u)^2 = aa i^2 + 2 ab i j + bb j^2. u is the line's direction and d = (i, j) in
/// mm.
template <class T>
struct TubeFootprint {
  T aa, ab, bb;        ///< mm^2
  T reach_a, reach_b;  ///< voxels: nothing farther than these is within the radius
};

/// `spacing`: mm, x, y, z.
template <class T, class S>
BACKLIT_HD inline TubeFootprint<T> tube_footprint(const Lor<T>& l, const S (&spacing)[3], T radius) {
  const T sa = T(spacing[first_in_slice(l.axis)]), sb = T(spacing[second_in_slice(l.axis)]);
  const T ua = l.da * sa / l.step, ub = l.db * sb / l.step, um = T(spacing[l.axis]) / l.step;
  const T slope_a = ua / um, slope_b = ub / um;
  return {sa * sa * (T(1) - ua * ua), -sa * sb * ua * ub, sb * sb * (T(1) - ub * ub),
          radius / sa * sqrt(T(1) + slope_a * slope_a), radius / sb * sqrt(T(1) + slope_b * slope_b)};
}

/// f by linear interpolation; `entry` is r^2 in entries of the table. 0 beyond the table.
template <class T>
BACKLIT_HD inline T tube_weight(const float* table, T entry) {
  if (!(entry < T(tube_entries - 1))) return T(0);
  const int i = static_cast<int>(entry > T(0) ? entry : T(0));
  const T low = T(table[i]);
  return low + (entry - T(i)) * (T(table[i + 1]) - low);
}

}  // namespace backlit

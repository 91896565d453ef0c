// Projection of points to the detector: arithmetic that all projectors share, on host and device.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>

namespace backlit {

enum class DetectorKind : int {
  flat,     ///< a / w, b / w are column and row
  focused,  ///< cylinder about the source: column from the fan angle
  cylinder  ///< cylinder about another axis
};

/// Column, row (fractions, pixel centres at integers) and depth of a point. FDK's weight divides by the depth. Flat: mm
/// along the detector's normal; curved: mm from the source across the cylinder's axis; parallel: 1.
template <class T>
struct DetectorPosition {
  T column, row, depth;
};

/// A view prepared for projecting points. a, b, w are affine in (x, y, z, 1) mm, so they interpolate linearly in space,
/// for example over a slice's polygon. detector_position() computes column and row of a point from them.
///   flat:            a = column w, b = row w, w = depth (parallel: 1): the rows of the projection matrix
///   focused/cylinder: a, b, w = mm from the source along u, v and the normal
///   cylinder, parallel: a, b = mm from the cylinder's axis across the rays and along v, w = 1
template <class T>
struct ViewMap {
  T a[4], b[4], w[4];
  DetectorKind kind;
  int parallel;  ///< 1 for parallel beams
  T column0,
      row0;  ///< curved: the column straight ahead (along the normal; parallel: along the rays), the row of b = 0
  T columns_per_radian, rows_per_mm;  ///< curved: radius / |u|, 1 / |v|
  T radius;                           ///< curved: mm, of the cylinder
  T axis_depth;                       ///< cylinder: mm from the source to the axis, along the normal (parallel: 0)
  T axis_side;  ///< cylinder: the same along u; 0 where the detector's centre is straight before the source
};

/// Computes the position from the interpolated a, b, w. Points at or behind the source give w <= 0: the caller must
/// skip them. Rays that pass beside a cylinder give NaN, so callers must test whether a position is inside the
/// detector, not outside.
template <class T>
BACKLIT_HD inline DetectorPosition<T> detector_position(const ViewMap<T>& m, T a, T b, T w) {
  using std::atan2;
  using std::sqrt;
  if (m.kind == DetectorKind::flat) return {a / w, b / w, w};
  if (m.kind == DetectorKind::focused) {
    const T distance = sqrt(a * a + w * w);
    return {m.column0 + m.columns_per_radian * atan2(a, w), m.row0 + m.rows_per_mm * m.radius * b / distance, distance};
  }
  if (m.parallel) {
    const T side = sqrt(m.radius * m.radius - a * a);
    return {m.column0 + m.columns_per_radian * atan2(a, side), m.row0 + m.rows_per_mm * b, T(1)};
  }
  // The ray t (a, w) leaves the circle of `radius` about (axis_side, axis_depth) at the larger root t.
  const T square = a * a + w * w;
  const T half = a * m.axis_side + w * m.axis_depth;
  const T beyond = m.axis_side * m.axis_side + m.axis_depth * m.axis_depth - m.radius * m.radius;
  const T t = (half + sqrt(half * half - square * beyond)) / square;
  return {m.column0 + m.columns_per_radian * atan2(t * a - m.axis_side, t * w - m.axis_depth),
          m.row0 + m.rows_per_mm * t * b, sqrt(square)};
}

/// Projects the point (x, y, z) mm.
template <class T>
BACKLIT_HD inline DetectorPosition<T> project_point(const ViewMap<T>& m, T x, T y, T z) {
  return detector_position(m, m.a[0] * x + m.a[1] * y + m.a[2] * z + m.a[3],
                           m.b[0] * x + m.b[1] * y + m.b[2] * z + m.b[3],
                           m.w[0] * x + m.w[1] * y + m.w[2] * z + m.w[3]);
}

/// Projects voxel (i, j, k) with a map from voxel indices (see in_voxels). False at or behind the source.
template <class T, class Index>
BACKLIT_HD inline bool project_voxel(const ViewMap<T>& m, Index i, Index j, Index k, DetectorPosition<T>& position) {
  const T x = T(i), y = T(j), z = T(k);
  const T w = m.w[0] * x + m.w[1] * y + m.w[2] * z + m.w[3];
  if (!m.parallel && !(w > 0)) return false;
  position = detector_position(m, m.a[0] * x + m.a[1] * y + m.a[2] * z + m.a[3],
                               m.b[0] * x + m.b[1] * y + m.b[2] * z + m.b[3], w);
  return true;
}

}  // namespace backlit

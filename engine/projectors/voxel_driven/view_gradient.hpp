// Derivatives of a point's position on the detector by the point's coordinates, for gradients of backprojected values.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>
#include "geometry/view_map.hpp"

namespace backlit {

/// Derivatives of column, row and depth along x, y and z (per mm).
template <class T>
struct PositionGradient {
  T column[3], row[3], depth[3];
};

/// For points in front of the source. Not for cone beams on a cylinder about another axis than the source's.
template <class T>
BACKLIT_HD inline PositionGradient<T> position_gradient(const ViewMap<T>& m, T x, T y, T z) {
  using std::sqrt;
  const T a = m.a[0] * x + m.a[1] * y + m.a[2] * z + m.a[3];
  const T b = m.b[0] * x + m.b[1] * y + m.b[2] * z + m.b[3];
  const T w = m.w[0] * x + m.w[1] * y + m.w[2] * z + m.w[3];
  PositionGradient<T> g;
  if (m.kind == DetectorKind::flat) {
    for (int i = 0; i < 3; ++i) {
      g.column[i] = (m.a[i] - a / w * m.w[i]) / w;
      g.row[i] = (m.b[i] - b / w * m.w[i]) / w;
      g.depth[i] = m.w[i];
    }
  } else if (m.parallel) {
    const T turn = m.columns_per_radian / sqrt(m.radius * m.radius - a * a);
    for (int i = 0; i < 3; ++i) {
      g.column[i] = turn * m.a[i];
      g.row[i] = m.rows_per_mm * m.b[i];
      g.depth[i] = 0;
    }
  } else {
    const T square = a * a + w * w, distance = sqrt(square), rows = m.rows_per_mm * m.radius;
    for (int i = 0; i < 3; ++i) {
      const T away = (a * m.a[i] + w * m.w[i]) / distance;
      g.column[i] = m.columns_per_radian * (w * m.a[i] - a * m.w[i]) / square;
      g.row[i] = rows * (m.b[i] - b * away / distance) / distance;
      g.depth[i] = away;
    }
  }
  return g;
}

}  // namespace backlit

// The geometric weight of FDK along a detector row, in a form that a device can evaluate.
#pragma once

#include <cmath>

#include "core/hd.hpp"
#include "geometry/view.hpp"

namespace backlit {

/// Of column c in one row of a flat detector: (a0 + a1 c) / sqrt(q0 + q1 c + q2 c^2), everything but gap and
/// redundancy.
template <class T>
struct RowWeight {
  T a0, a1, q0, q1, q2;
};

template <class T>
BACKLIT_HD inline T weight_at(const RowWeight<T>& w, T c) {
  using std::sqrt;
  return (w.a0 + w.a1 * c) / sqrt(w.q0 + c * (w.q1 + w.q2 * c));
}

/// Cone: cos(gamma) = -(S . ray) in the plane, R gamma being the angle off the direction to the axis, whatever way the
/// detector faces; and 1 / pitch of the row carried to the axis, pitch = |u| R / L. Where the detector leans (L then
/// differs from row to row), L is taken per row and the factor (R / depth)^2 that the backprojector applies is undone.
/// Parallel: 1 / mm from the axis per column, u across the rays seen from above. Flat detectors only.
RowWeight<double> row_weight(const Detector&, const View&, std::int64_t row);

/// The same on any detector: (n . basis) / sqrt(d . basis) with basis (1, c, c^2) on flat detectors and for parallel
/// beams, (1, sin a, 1 - cos a) on curved ones, a = (c - middle column) |u| / radius.
struct PositionWeight {
  Vec3 numerator, denominator;
};
PositionWeight position_weight(const Detector&, const View&, std::int64_t row);

}  // namespace backlit

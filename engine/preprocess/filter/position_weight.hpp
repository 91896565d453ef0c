// The geometric weight of FDK on a detector, in a form that a device can evaluate.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>
#include <backlit/geometry/view.hpp>

namespace backlit {

/// The weight of one row, without gap and redundancy: (n . basis) / sqrt(d . basis).
template <class T>
struct RowWeight {
  T n[3], d[3];
};

/// The weights of all rows of a view. n and d of row r are polynomials in r, divided by a lean that is linear in r.
template <class T>
struct PositionWeight {
  T n[3], n_row;  ///< n[0] + n_row r, n[1], n[2]
  T d[3], d_row[3], d_square;
  T lean, lean_row;
};

template <class T>
BACKLIT_HD inline RowWeight<T> weight_of_row(const PositionWeight<T>& w, T row) {
  const T scale = 1 / (w.lean + w.lean_row * row);
  return {{scale * (w.n[0] + w.n_row * row), scale * w.n[1], scale * w.n[2]},
          {w.d[0] + row * (w.d_row[0] + row * w.d_square), w.d[1] + row * w.d_row[1], w.d[2] + row * w.d_row[2]}};
}

/// The weight at column c of a flat detector, or of any detector in a parallel beam.
template <class T>
BACKLIT_HD inline T weight_at(const RowWeight<T>& w, T c) {
  using std::sqrt;
  return (w.n[0] + w.n[1] * c) / sqrt(w.d[0] + c * (w.d[1] + w.d[2] * c));
}

/// Cone: cos(gamma) / pitch. cos(gamma) = -(S . ray) in the plane, with gamma the angle between the ray and the
/// direction to the axis, for any orientation of the detector. pitch = |u| R / L is the column spacing scaled to the
/// axis. On an inclined detector L differs from row to row: L is taken per row, and the backprojector's factor (R /
/// depth)^2 is corrected for. Parallel: 1 / (mm of distance from the axis per column), u across the rays seen from
/// above. The basis is (1, c, c^2) on flat detectors and for parallel beams, (1, sin a, 1 - cos a) on curved ones, a =
/// (c - middle column) |u| / radius.
PositionWeight<double> position_weight(const Detector&, const View&);
PositionWeight<float> to_float(const PositionWeight<double>&);

}  // namespace backlit

// The mid-plane of a scan: the angle of each view's source on its circle, and the ray of each column.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// A view in the plane of rotation. Cone: `angle` is the source's azimuth. The conjugate of its ray at gamma from the
/// direction to the axis is the ray at -gamma from the source at angle + pi + 2 gamma. Parallel: `angle` is the azimuth
/// from which the beam comes. Rays are given by their signed distance from the axis; conjugates are pi apart.
struct MidplaneView {
  double angle;   ///< radians, [0, 2 pi)
  double radius;  ///< mm, from the source to the axis; parallel: 0
  double row;     ///< the row (fraction) of the mid-plane, whose rays are horizontal
};

MidplaneView midplane(const Detector&, const View&);

/// The row at which the ray through a column of a flat detector is horizontal. Fractions and places off the detector
/// allowed. Cone beams.
double horizontal_row(const Detector&, const View&, double column);

/// Cone: gamma of a column, radians. Parallel: mm from the axis. Fractions and columns off the detector allowed.
double ray_offset(const Detector&, const View&, const MidplaneView&, double column);

/// Angles on a circle of `period`, in order, with the gaps between them. Coincident angles are grouped.
class AngleCircle {
 public:
  AngleCircle(const std::vector<double>& angles, double period);
  /// Per angle: the sum of half the gaps to both neighbours, without breaks. Coincident angles share it.
  std::vector<double> gaps() const;
  /// Whether no gap is a break (wider than 3.5 times its neighbours and the median).
  bool closed() const { return arcs_.empty(); }
  struct Arc {
    double start, length;  ///< from first to last angle
    double half_gap;       ///< half the median gap
  };
  const std::vector<Arc>& arcs() const { return arcs_; }  ///< the arcs between breaks; empty when closed

 private:
  struct Group {
    double angle;
    std::vector<std::size_t> members;
  };
  double period_;
  std::vector<Group> groups_;
  std::vector<double> after_;  ///< per group: gap to the next one
  std::vector<bool> break_;    ///< per group: the gap after it is a break
  std::vector<Arc> arcs_;
};

/// `angle` on [0, period).
double wrapped(double angle, double period);

}  // namespace backlit

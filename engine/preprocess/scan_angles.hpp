// The mid-plane of a scan: where each view's source stands on its circle, and which ray each column measured.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// A view in the plane of rotation. Cone: `angle` is the source's azimuth, and a ray from it that deviates by gamma
/// from the direction to the axis meets the one from angle + pi + 2 gamma, at -gamma, head on. Parallel: `angle` is
/// where the beam comes from, and rays are known by their signed distance from the axis; conjugates are pi apart.
struct MidplaneView {
  double angle;   ///< radians, [0, 2 pi)
  double radius;  ///< mm, from the source to the axis; parallel: 0
  double row;     ///< the row (fraction) of the mid-plane: level rays
};

MidplaneView midplane(const Detector&, const View&);

/// Cone: gamma of a column, radians. Parallel: mm from the axis. Fractions and columns off the detector allowed.
double ray_offset(const Detector&, const View&, const MidplaneView&, double column);

/// Angles on a circle of `period`, in order, with the gaps between them. Coincident angles are grouped.
class AngleCircle {
 public:
  AngleCircle(const std::vector<double>& angles, double period);
  /// Per angle: half the gap to each neighbour, not across breaks; coincident ones share.
  std::vector<double> gaps() const;
  /// No gap stands out as a break (wider than 3.5 times its neighbours and the median).
  bool closed() const { return arcs_.empty(); }
  struct Arc {
    double start, length;  ///< from first to last angle
    double half_gap;       ///< half the median gap
  };
  const std::vector<Arc>& arcs() const { return arcs_; }  ///< what lies between breaks; empty when closed

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

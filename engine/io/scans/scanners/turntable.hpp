// A turntable between a fixed source and a fixed detector: the geometry of most scanners' files.
#pragma once

#include <vector>

#include <backlit/io/scans/scan_geometry.hpp>

namespace backlit {

/// The geometry in any right-handed frame, mm.
struct Turntable {
  Beam beam = Beam::cone;
  Vec3 source{0};     ///< cone: the focal spot
  Vec3 direction{0};  ///< parallel: along the rays, across the axis
  Vec3 center{0};     ///< the detector's middle
  Vec3 u{0}, v{0};    ///< one step to the next column and row; at right angles
  Vec3 axis_point{0}, axis{0, 0, 1};
};

/// The same geometry as a circular or parallel trajectory in our frame. The axis becomes z; the origin is the point of
/// the axis nearest to the source. `turns_deg`: the angle of the source round the object in each view, counterclockwise
/// as seen from the tip of `axis` (the table turns the object clockwise). 0 is azimuth 0. Positions of the axis and
/// tilts of axis or detector become offset_px and tilt_deg. Throws InputError(where) when the source lies on the axis.
Trajectory trajectory_of(const Turntable&, std::vector<double> turns_deg, const std::string& where);

}  // namespace backlit

// A turntable between a source and a detector that stand still: how most scanners' files say where things are.
#pragma once

#include <vector>

#include <backlit/io/scans/scan_geometry.hpp>

namespace backlit {

/// In whatever frame is handy: right handed, mm.
struct Turntable {
  Beam beam = Beam::cone;
  Vec3 source{0};     ///< cone: the focal spot
  Vec3 direction{0};  ///< parallel: along the rays, across the axis
  Vec3 center{0};     ///< the detector's middle
  Vec3 u{0}, v{0};    ///< one step to the next column and row; at right angles
  Vec3 axis_point{0}, axis{0, 0, 1};
};

/// The circular or parallel trajectory that is the same in our frame: the axis becomes z, the point of it that is level
/// with the source the origin. `turns_deg`: by how much the source went round the object in each view, counterclockwise
/// as seen from the tip of `axis` (a table that turns its object clockwise); 0 is azimuth 0. Any place of the axis and
/// any tilt of axis or detector become offset_px and tilt_deg. Throws InputError(where) when the source lies on the
/// axis.
Trajectory trajectory_of(const Turntable&, std::vector<double> turns_deg, const std::string& where);

}  // namespace backlit

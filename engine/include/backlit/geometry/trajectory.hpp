// Trajectories produce Views. The rest of the engine sees only the Views. Angles in degrees, lengths in mm.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// Shift and tilt of the detector from its ideal place, the same for all views.
struct DetectorPlacement {
  double offset_u =
      0;  ///< px: the axis projects to column (columns-1)/2 + offset_u; a curved detector slides on its arc
  double offset_v = 0;  ///< px: the mid-plane projects to row (rows-1)/2 + offset_v
  double tilt_u = 0;    ///< deg, right-handed about the u axis through the detector's centre, applied first
  double tilt_v = 0;    ///< deg, about the (turned) v axis, applied second
  double tilt_n = 0;    ///< deg, in-plane, about the (turned) normal, applied last
};

/// Turns the detector so that pixel (0, 0) lies where it is said to, seen from the source; without it, at the bottom
/// left. Replaces tilt_u and tilt_n.
void place_first_pixel(DetectorPlacement&, bool at_top, bool at_right);

/// start, start + step, ...: `views` angles that share `arc` equally and leave out its end (so 360 closes).
std::vector<double> equal_angles(std::int64_t views, double start_deg = 0, double arc_deg = 360);

/// S = R(cos, sin, 0), D = -(L-R)(cos, sin, 0), u along (-sin, cos, 0), v along +z; offsets as in DetectorPlacement.
std::vector<View> circular_views(const Detector&, const std::vector<double>& angles_deg, double source_to_axis,
                                 double source_to_detector, const DetectorPlacement& = {});

/// Ray direction -(cos, sin, 0); the detector's centre on the axis unless offset.
std::vector<View> parallel_views(const Detector&, const std::vector<double>& angles_deg, const DetectorPlacement& = {});

/// circular_views() with source and detector at z = start_z + pitch (phi - phi_0)/360; pitch is signed, in mm a turn.
std::vector<View> helical_views(const Detector&, const std::vector<double>& angles_deg, double source_to_axis,
                                double source_to_detector, double pitch, double start_z, const DetectorPlacement& = {});

/// circular_views() (source_to_axis > 0) or parallel_views() (= 0), with the rays raised by `elevation_deg` out of the
/// plane of rotation.
std::vector<View> laminographic_views(const Detector&, const std::vector<double>& angles_deg, double source_to_axis,
                                      double source_to_detector, double elevation_deg, const DetectorPlacement& = {});

}  // namespace backlit

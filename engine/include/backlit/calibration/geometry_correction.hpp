// The difference between the geometry of a scanner and the geometry in its scan file.
#pragma once

#include <array>
#include <string_view>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// A correction, the same for all views. It is applied in this order: the detector moves along its normal, then along u
/// and v, then turns about its centre; then source and detector move together. Detectors of views that were shifted one
/// by one turn about the middle of their centres.
struct GeometryCorrection {
  double detector_distance = 1;  ///< factor of the distance from source to detector along its normal; cone beams
  double column_offset = 0;      ///< px, added to the column on which the axis projects
  double row_offset = 0;         ///< px, added to the row on which the mid-plane projects
  double tilt_u = 0;             ///< deg, right-handed about u, as in DetectorPlacement; then
  double tilt_v = 0;             ///< deg, about v; then
  double in_plane = 0;           ///< deg, about the normal u x v
  bool reversed = false;         ///< the object turned in the opposite direction: angles of views change their sign
  double axis_distance = 1;      ///< factor of the distance from source to axis, and of the volume's size; cone beams

  bool operator==(const GeometryCorrection&) const = default;
};

/// The scan with the correction applied. Throws InputError for a curved detector that would be tilted or moved along
/// its normal, and for a distance that is not positive.
Scan corrected(const Scan&, const GeometryCorrection&);

}  // namespace backlit

// Shifts of single views: the object or the detector moved between exposures.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// px. The image of a view lies `u` columns and `v` rows further than the rest of its geometry says; the same sense as
/// DetectorPlacement's offset.
struct ViewShift {
  double u = 0, v = 0;

  bool operator==(const ViewShift&) const = default;
};

/// The scan with the detector of each view moved by its shift, one per view. Throws InputError for another number of
/// shifts and for curved detectors.
Scan shifted(Scan, const std::vector<ViewShift>&);

/// The shifts without the part that a translation of the object causes in all views, by least squares. No view
/// determines that part: it only moves the volume.
std::vector<ViewShift> without_translation(std::vector<ViewShift>, const Scan&);

/// px, root mean square of the lengths.
double rms(const std::vector<ViewShift>&);

}  // namespace backlit

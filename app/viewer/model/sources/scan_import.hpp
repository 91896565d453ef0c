// Images that are the projections of a scan: what the images do not say, and the scan file that says it.
#pragma once

#include <string>

namespace backlit::viewer {

struct ScanImport {
  std::string images;             ///< one pattern, "view_*.tif"; the views in the order of their numbers
  std::string flats, darks;       ///< patterns; empty: there are none
  bool counts = true;             ///< raw readings; else line integrals
  bool first_row_top = true;      ///< else rows run upwards
  bool first_column_left = true;  ///< as seen from the source
  double arc_deg = 360;  ///< that the views share equally, counterclockwise seen from above; negative: clockwise
  double pixel_mm = 0;   ///< side of a pixel of the detector
  double source_to_axis_mm = 0, source_to_detector_mm = 0;  ///< both 0: parallel beams

  bool operator==(const ScanImport&) const = default;
};

/// Looks at an image of a scan: whether its values are readings, and which images beside it are flats and darks, by
/// their names. Throws InputError.
ScanImport guess_scan(const std::string& images);
/// What is still to be said or contradicts itself, as one line; empty: nothing.
std::string missing(const ScanImport&);
/// Writes the scan file beside the images and returns its path: NAME.scan.toml, or NAME.2.scan.toml where that exists
/// and says something else. Throws InputError for what missing() tells.
std::string save_scan(const ScanImport&);

}  // namespace backlit::viewer

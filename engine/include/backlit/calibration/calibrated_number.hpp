// The result of a calibration as the numbers of a scan file, for people and programs.
#pragma once

#include <string>
#include <vector>

#include <backlit/calibration/calibrate.hpp>

namespace backlit {

/// A number of a scan file, after calibration.
struct CalibratedNumber {
  std::string name;        ///< "column_offset_px", "in_plane_deg", "source_to_detector_mm"
  std::string unit;        ///< "px", "deg", "mm"
  double value = 0;        ///< not a number where the scan has none
  double change = 0;       ///< value minus that of the scan file
  double uncertainty = 0;  ///< one standard deviation; 0: not determined
  bool determined = false;
  std::string reason;  ///< why it is not determined
};

/// `given`: the scan before calibration. Tilts and distances of scans that no trajectory describes are given as
/// changes. The last is source_to_axis_mm, the others are in the order of Calibration::parameters.
std::vector<CalibratedNumber> calibrated_numbers(const Calibration&, const Scan& given);

}  // namespace backlit

// Scan files for tests that run the programs.
#pragma once

#include <string>

namespace backlit::test {

/// A full circle, source 600 mm from the axis and 1200 mm from the detector: pixels are half as large at the axis.
inline std::string cone_scan_text(int columns, int rows, double pixel_mm, int views) {
  return "[detector]\ncolumns = " + std::to_string(columns) + "\nrows = " + std::to_string(rows) + "\npixel_mm = [" +
         std::to_string(pixel_mm) + ", " + std::to_string(pixel_mm) +
         "]\n[trajectory]\nkind = \"circular\"\nsource_to_axis_mm = 600\nsource_to_detector_mm = 1200\nviews = " +
         std::to_string(views) + "\narc_deg = 360\n";
}

}  // namespace backlit::test

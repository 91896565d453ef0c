// Geometries of other toolkits: RTK XML, ASTRA vector tables, lists of 3x4 matrices.
#pragma once

#include <filesystem>
#include <vector>

#include "geometry/view.hpp"

namespace backlit {

/// Reads the views of `file` for a detector whose columns, rows and pixel size are known. RTK XML is told by content;
/// text tables by their number of columns: 12 = ASTRA cone_vec (mm), 12 with "parallel3d_vec" in a leading # comment =
/// parallel3d_vec, 3 lines of 4 (or 12 numbers with "matrix" in a leading # comment) = 3x4 matrices.
/// `source_to_detector` (mm; 0 = unknown) fixes the distance that matrices leave free; otherwise the detector's pixel_u
/// does. Sets detector.shape and detector.radius where the file says so. Throws InputError naming file, line or view.
std::vector<View> read_geometry(const std::filesystem::path& file, Detector& detector, double source_to_detector = 0);

/// Writes RTK XML (.xml) or an ASTRA table (.txt) that read_geometry() gives back. Throws Unsupported for views the
/// format cannot hold.
void write_geometry(const Scan&, const std::filesystem::path& file);

}  // namespace backlit

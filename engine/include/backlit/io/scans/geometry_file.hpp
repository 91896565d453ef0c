// Geometries of other toolkits: see geometry_format.hpp.
#pragma once

#include <filesystem>
#include <vector>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// Reads the views of `file` for a detector whose columns, rows and pixel size are known; a pattern ("p_*.txt") reads
/// all files that match, in order. The content decides the format:
///   RTK XML (ThreeDCircularProjectionGeometry, version 2 or 3). RTK's axes (x, y, z) are our (y, z, x), GantryAngle is
///     our angle. Every view's <Matrix> must agree with its parameters. RTK measures mm on the detector, from an
///     origin that only the images' headers give: `image_middle` is the middle of the images there, mm. A
///     SourceToDetectorDistance of 0 is a parallel beam; RadiusCylindricalDetector makes the detector curved.
///   12 numbers a line: ASTRA cone_vec (mm); with "parallel3d_vec" in a # comment, parallel3d_vec, whose ray points to
///     the source, as ASTRA's own geometries do; with "matrix" in a # comment, 3x4 matrices, row after row.
///   4 numbers a line: 3x4 matrices, three lines each, (x, y, z, 1) mm -> (column w, row w, w) of any scale and sign.
///   plastimatch: the file that `plastimatch drr` writes beside each image: image centre, matrix, SAD, SID.
/// Matrices leave the distance from source to detector free: `source_to_detector` (mm) fixes it, or detector.pixel_u
/// when that is 0. Sets detector.shape and detector.radius where the file gives them. Throws InputError naming file,
/// line or view.
std::vector<View> read_geometry(const std::filesystem::path& file, Detector& detector, double source_to_detector = 0,
                                const glm::dvec2& image_middle = {0, 0});

/// Whether the views of this file (or pattern) depend on pixel size and position in the images' headers, as RTK's do.
bool image_frame_counts(const std::filesystem::path& file);

/// Writes a geometry in the format of the extension: RTK XML (.xml), an ASTRA table (.txt) or 3x4 matrices (.matrices).
/// read_geometry() gives the same views back. Matrices need the detector's pixel size for that, and lose the detector's
/// position along parallel rays. Throws Unsupported for views that the format cannot hold.
void write_geometry(const Scan&, const std::filesystem::path& file);

}  // namespace backlit

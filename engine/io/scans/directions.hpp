// The turning sense of a scan and the order of its columns and rows, compared with the data.
#pragma once

#include <backlit/io/scans/scan_file.hpp>

namespace backlit {

/// Compares the directions that a scan's file states with the scan's data, and takes the opposite of a direction that
/// the data contradict. Adds facts on what was taken and why, notes on contradictions, and the lines of
/// ScanFile::directions. load_scan() calls it for every format whose files are not written by users.
///
/// Sources on a circle about z: conjugate rays tell whether the turning sense fits the order of the columns. Sources on
/// a helix: lines between two positions of the source tell this, and whether the travel fits the order of the rows.
/// Parallel beams tell nothing. No data tell a scan from its mirror image.
void check_directions(ScanFile&);

/// Writes the geometry as angles, distances and shifts where these give the views, else as a table of views. The views
/// become those that the text gives, which differ by rounding.
void set_geometry_text(ScanFile&);

}  // namespace backlit

// Lengths as text, in the unit that suits their size.
#pragma once

#include <string>

namespace backlit::viewer {

/// "12.34 mm", "56.2 µm": lengths in mm below 0.1 mm are in µm or nm. As many digits as a `voxel` (in the same unit as
/// `length`) deserves. `unit`: "mm", or "px", which stays.
std::string length_text(double length, const std::string& unit, double voxel);
/// The sides of a rectangle in one unit: "12.3 × 4.5 mm".
std::string sides_text(double larger, double smaller, const std::string& unit, double voxel);
/// A round length in its shortest form: "50 mm", "20 µm".
std::string round_length_text(double length, const std::string& unit);

}  // namespace backlit::viewer

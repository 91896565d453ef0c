// The components in which flats differ, for the host and devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <backlit/preprocess/corrections.hpp>

namespace backlit {

using Image = std::vector<float>;

struct FlatComponents {
  std::vector<Image> images;  ///< normalised, the strongest first
  std::vector<Image> slopes;  ///< their differences along rows, 0 at the end of each row
  std::string text;           ///< "2 components of 20 flats"
};
/// Stage "flat components". Throws InputError for fewer than three flats.
FlatComponents flat_components_of(const CorrectionOptions&, const CorrectionInput&, const Detector&, const Watch&);

inline constexpr int flat_passes = 12;  ///< of reweighted least squares

}  // namespace backlit

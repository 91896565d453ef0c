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

/// How the slopes of flats along rows differ from those of their mean.
struct FlatDrift {
  std::int64_t flats = 0;
  std::int64_t components = 0;  ///< in which they differ by more than noise, at most 4
  double times_noise = 0;       ///< the square sum of the strongest component over that of noise
};
/// Stage "flat components". Nothing is known of fewer than three flats.
FlatDrift drift_of_flats(const CorrectionInput&, const Watch& = {});

inline constexpr int flat_passes = 12;  ///< of reweighted least squares

}  // namespace backlit

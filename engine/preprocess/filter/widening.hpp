// Makes displaced detectors symmetric for the filter.
#pragma once

#include <backlit/preprocess/fdk_filter.hpp>

namespace backlit {

/// The rows of a displaced detector must be filtered beyond its short side: the ramp spreads measured values to there.
/// So the redundancy weights are applied first. Then zero columns make the detector symmetric. Other detectors stay
/// unchanged.
struct Widening {
  Widening(const Scan& scan, const FilterOptions& asked);

  bool needed() const { return left + right > 0; }
  /// Factor of a measured value before the zero columns are added; only where needed().
  float weight(std::int64_t view, std::int64_t column) const;

  FilterOptions options;  ///< for the filter of `wide`
  Scan wide;
  FdkWeights weights;                ///< weights of the measured scan
  std::int64_t left = 0, right = 0;  ///< columns added
};

}  // namespace backlit

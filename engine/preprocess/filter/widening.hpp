// Displaced detectors, made symmetric for the filter.
#pragma once

#include <backlit/preprocess/fdk_filter.hpp>

namespace backlit {

/// A displaced detector's rows must be filtered beyond its short side: voxels there get what the ramp spreads from the
/// columns that were measured. So the redundancy weights are applied first, then zero columns make it symmetric.
/// Detectors that are not displaced stay as they are.
struct Widening {
  Widening(const Scan& scan, const FilterOptions& asked);

  bool needed() const { return left + right > 0; }
  /// What a measured value is multiplied by before the zero columns are added; only where needed().
  float weight(std::int64_t view, std::int64_t column) const;

  FilterOptions options;  ///< for the filter of `wide`
  Scan wide;
  FdkWeights weights;                ///< of the scan as measured
  std::int64_t left = 0, right = 0;  ///< columns added
};

}  // namespace backlit

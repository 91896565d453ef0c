// Looks at projections and chooses the corrections that they need.
#pragma once

#include <string>
#include <vector>

#include <backlit/preprocess/corrections.hpp>

namespace backlit {

struct ChosenCorrections {
  CorrectionOptions options;         ///< nothing where nothing is needed
  std::vector<std::string> reasons;  ///< one sentence for each fault that was looked for, found or not
};

/// Looks for defective pixels, zingers, stripes, a changing level of air and objects wider than the detector in up to
/// 128 views, and for a drift in the flats, if they are given. A fault is chosen against where it is well beyond the
/// noise; what is not looked for stays off. Stage "look for faults". Throws Cancelled.
ChosenCorrections choose_corrections(ProjectionSource&, const CorrectionInput& = {}, const Watch& = {});

}  // namespace backlit

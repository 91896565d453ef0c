// Sensitivity: expected events for a unit of each image value. It is the backprojection of pairs of crystals, each
// weighted by its efficiency and its attenuation factor.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/data/list_mode.hpp>
#include <backlit/data/scanner.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>

namespace backlit {

/// Makes the operator of the events, without time of flight, for other lines.
using LinesMaker = std::function<std::unique_ptr<LinearOperator>(const LineList&)>;

struct SensitivityOptions {
  std::int64_t pairs = 0;  ///< size of a random sample; 0, or more than exist: all pairs in coincidence
  std::uint64_t seed = 1;
  std::span<const ScannerPlace> places{};  ///< ListModeInfo::places
};

struct Sensitivity {
  std::vector<float> values;  ///< in the operators' domain: events per s for a value of 1 decay per s and mm^3
  std::int64_t pairs = 0, all_pairs = 0;  ///< pairs projected; pairs in coincidence
};

/// Sensitivity from a list of all pairs that count: A' 1 / (acf norm). Pairs without acf take it from `attenuation`.
Sensitivity make_sensitivity(Backend&, const Scanner&, const Volume* attenuation, const LinesMaker&,
                             ListModeSource& pairs, const Watch& = {});

/// Sensitivity from the scanner: the sum over its pairs of A' efficiency exp(-line integral of `attenuation`). A sample
/// of pairs is scaled to all pairs. A scanner that moves is the sum over its places, each by its share of the time; a
/// sample is divided among them evenly. `attenuation` (1/mm, any grid; may be null) is projected along thin lines.
/// Throws Cancelled between two chunks.
Sensitivity make_sensitivity(Backend&, const Scanner&, const Volume* attenuation, const LinesMaker&,
                             const SensitivityOptions&, const Watch& = {});

}  // namespace backlit

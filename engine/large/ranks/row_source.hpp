// A scan of some rows of the detector.
#pragma once

#include <backlit/core/index_range.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit {

/// Gives rows `rows` of each view of `source`, which reads no others where it can. Repairs that are noted count these
/// rows alone. Reading throws Failure once another rank has failed; ranks must outlive it.
std::shared_ptr<ProjectionSource> rows_of_source(std::shared_ptr<ProjectionSource> source, const IndexRange& rows,
                                                 Ranks&);

}  // namespace backlit

// A scan of some rows of the detector.
#pragma once

#include <backlit/core/index_range.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit {

/// Gives rows `rows` of each view of `source`, which reads no others where it can. Repairs that are noted count these
/// rows alone. Where rows are cut off, reading throws Failure once another rank has failed. The ranks must outlive it.
std::shared_ptr<ProjectionSource> rows_of_source(std::shared_ptr<ProjectionSource> source, const IndexRange& rows,
                                                 Ranks&);

}  // namespace backlit

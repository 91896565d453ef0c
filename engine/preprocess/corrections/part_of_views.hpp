// Some rows of some views.
#pragma once

#include <backlit/core/index_range.hpp>
#include <backlit/data/projections.hpp>

namespace backlit {

/// The scan of these rows of every `stride`-th view.
Scan part_of(const Scan&, const IndexRange& rows, std::int64_t stride);
Projections part_of(const Projections&, const IndexRange& rows, std::int64_t stride);

}  // namespace backlit

// The same rays on a detector with more columns.
#pragma once

#include <backlit/geometry/view.hpp>

namespace backlit {

/// Adds `left` columns before the first and `right` after the last; all other pixels stay where they are in space.
Scan widened(const Scan&, std::int64_t left, std::int64_t right);

}  // namespace backlit

// The timelines of all ranks as one.
#pragma once

#include <backlit/core/timeline.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit {

/// Rank 0 gets all spans, their lanes named after ranks ("rank 1: write") and their starts told from this meeting of
/// all ranks, for machines have clocks of their own. Others get none. All ranks call it.
Timeline gather_timelines(Ranks& ranks, const Timeline& own);

}  // namespace backlit

// The file that --trace names.
#pragma once

#include <string>

#include <backlit/core/timeline.hpp>
#include <backlit/device/ranks.hpp>
#include "command.hpp"

namespace backlit::cli {

/// Writes the timeline to `file`; nothing if `file` is empty. Warns if the timeline is empty.
void save_trace(const Timeline& timeline, const std::string& file, const Console& console);

/// The timelines of all ranks on rank 0, their lanes named after ranks; on others it is empty. All ranks call it.
Timeline gather_timelines(Ranks& ranks, const Timeline& own);

}  // namespace backlit::cli

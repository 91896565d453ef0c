// The file that --trace names.
#pragma once

#include <string>

#include <backlit/core/timeline.hpp>
#include "command.hpp"

namespace backlit::cli {

/// Writes the timeline to `file`; nothing if `file` is empty. Warns if the timeline is empty.
inline void save_trace(const Timeline& timeline, const std::string& file, const Console& console) {
  if (file.empty()) return;
  if (timeline.empty())
    console.warn("--trace: stages ran one after another here, there is no timeline; FDK has one, in bench on a GPU");
  else
    write_trace(timeline, file);
}

}  // namespace backlit::cli

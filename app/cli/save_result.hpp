// Writes what a run has reconstructed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <backlit/core/timeline.hpp>
#include <backlit/device/ranks.hpp>
#include <backlit/recon/session.hpp>
#include "command.hpp"

namespace backlit::cli {

struct Outputs {
  const VolumeGrid& grid;  ///< of the whole volume
  const std::vector<std::string>& files;
  std::optional<double> water;  ///< 1/mm: values become Hounsfield units
  const Console& console;
};

struct SavedResult {
  std::int64_t slices = 0;  ///< that this process has: all of them, unless ranks share the volume
  double seconds = 0;       ///< of writing, which goes on beside computing and download
  Timeline spans;           ///< of writing, on the steady clock
};

/// Writes the volume of a finished run to all files. Slices go there as they come from the device, if it can download
/// some at a time; else the host holds the volume for a while. `ranks`: who shared the work, null for one process; all
/// of them call this.
SavedResult save_result(SessionRun& run, Ranks* ranks, const Outputs& to);

}  // namespace backlit::cli

// Writes what a run has reconstructed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <backlit/recon/session.hpp>
#include "command.hpp"

namespace backlit::cli {

/// Downloads the volume and writes all `outputs`, in Hounsfield units where `water` (1/mm) is given. Slices go to the
/// files as they come from the device, if it holds the whole volume; else the host holds it for a while. Returns the
/// seconds of writing without those of the download.
double save_result(SessionRun& run, const VolumeGrid& grid, const std::vector<std::string>& outputs,
                   std::optional<double> water, const Console& console);

}  // namespace backlit::cli

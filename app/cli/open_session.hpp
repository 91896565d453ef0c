// Sessions and backends as commands begin them: with a progress bar and words for the terminal.
#pragma once

#include <filesystem>
#include <memory>

#include <backlit/device/device_options.hpp>
#include <backlit/recon/session.hpp>
#include "command.hpp"

namespace backlit::cli {

/// Opens a scan that has projections and prepares it; prints what had to be assumed. Throws InputError, and Cancelled
/// on Ctrl-C.
Session open_session(const std::filesystem::path&, const SessionOptions&, const Console&);

/// Prints what the correction of counts had to repair in the views that were read so far.
void warn_of_repairs(const SessionReport&, const Console&);

/// make_backend(). With --verbose it prints what auto passed over, and the device.
std::unique_ptr<Backend> start_backend(const DeviceOptions&, const Console&, const BackendUse& = {});

}  // namespace backlit::cli

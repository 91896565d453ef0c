// Opens sessions and starts backends for commands, with a progress bar and messages on the terminal.
#pragma once

#include <filesystem>
#include <memory>

#include <backlit/device/device_options.hpp>
#include <backlit/recon/session.hpp>
#include "command.hpp"

namespace backlit::cli {

/// Opens a scan that has projections and prepares it. Prints the assumptions that were necessary. Throws InputError,
/// and Cancelled on Ctrl-C.
Session open_session(const std::filesystem::path&, const SessionOptions&, const Console&);

/// Prints the pixels that the correction of counts repaired in the views read so far.
void warn_of_repairs(const SessionReport&, const Console&);

/// Warns where ranks work with different kinds of devices.
void warn_of_unlike_ranks(Backend&, const Console&);

/// make_backend(). Does so. With --verbose, prints the backends that `auto` passed over, and the device.
std::unique_ptr<Backend> start_backend(const DeviceOptions&, const Console&, const BackendUse& = {});

}  // namespace backlit::cli

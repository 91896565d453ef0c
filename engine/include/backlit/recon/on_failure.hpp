// How a run goes on with another backend when its device is lost or has no room (DeviceFailure).
#pragma once

#include <string>

#include <backlit/core/device_failure.hpp>
#include <backlit/core/parameter.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/recon/method.hpp>

namespace backlit {

/// `on_failure`: "stop", or the name of the other backend.
Parameter failure_parameter(std::string&);

/// Throws Unsupported where the other backend does not offer what the method takes, Failure where it does not start.
/// For the time before any work.
void require_elsewhere(const std::string& backend, const VolumeGrid&, const Scan&, const Method&);
void require_elsewhere(Backend&, const VolumeGrid&, const Scan&, const Method&);

/// The method as it goes on from a checkpoint that another backend wrote; from its beginning where that is empty.
Method elsewhere(Method, const std::string& checkpoint);

/// One sentence for the user: which backend failed and why, and from where the other one goes on.
std::string going_on(const std::string& failed, const DeviceFailure&, const std::string& backend,
                     const std::string& checkpoint);

}  // namespace backlit

// Devices that fail in the middle of the work.
#pragma once

namespace backlit::gl {

/// For what comes from the device: throws DeviceFailure when the driver has reset the device, or when an earlier
/// command found no memory on it.
void require_device();
/// The same for an answer of glGetError(); others are let through.
void require_device(unsigned error);

}  // namespace backlit::gl

// Checks for devices that fail in the middle of the work.
#pragma once

namespace backlit::gl {

/// Call it before results from the device are used. Throws Failure when the driver has reset the device, or when an
/// earlier command found no memory on it.
void require_device();
/// The same for `error`, a result of glGetError(); other errors are ignored.
void require_device(unsigned error);

}  // namespace backlit::gl

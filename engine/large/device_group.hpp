// Several devices of one machine as one backend.
#pragma once

#include <memory>
#include <vector>

#include <backlit/device/backend.hpp>

namespace backlit {

/// Arrays, vector operations and filters use the first device. CT operators divide their work among all devices (see
/// large/several_devices.hpp), so that every method runs on the group without changes.
std::unique_ptr<Backend> make_device_group(std::vector<std::unique_ptr<Backend>> devices);

}  // namespace backlit

// Several devices of one machine as one backend.
#pragma once

#include <memory>
#include <vector>

#include <backlit/device/backend.hpp>

namespace backlit {

/// Arrays, vector operations and filters are the first device's; CT operators share their work among all of them (see
/// large/several_devices.hpp), so that every method runs on the group without knowing of it.
std::unique_ptr<Backend> make_device_group(std::vector<std::unique_ptr<Backend>> devices);

}  // namespace backlit

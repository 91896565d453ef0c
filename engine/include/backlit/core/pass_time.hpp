// Durations of the passes (or kernels) of a device, by name.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace backlit {

struct PassTime {
  std::int64_t calls = 0;
  double seconds = 0;  ///< on the device
};

using PassTimes = std::map<std::string, PassTime>;

}  // namespace backlit

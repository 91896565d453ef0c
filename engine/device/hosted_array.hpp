// An array of a device whose values lie in host memory.
#pragma once

#include <span>

#include <backlit/device/device_array.hpp>

namespace backlit {

/// For download in parts (Backend::download_rows) alone. The memory is its owner's.
class HostedArray final : public DeviceArray {
 public:
  HostedArray(const ArrayShape& shape, std::span<const float> values)
      : DeviceArray(shape, Layout::linear), values_(values) {}
  std::span<const float> values() const { return values_; }

 private:
  std::span<const float> values_;
};

}  // namespace backlit

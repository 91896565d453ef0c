// Operations on neighbouring voxels of volumes on the host: a few slices at a time visit the device.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

/// A volume that an operation on neighbours reads, writes or both; empty where it does not.
struct HostOperand {
  std::span<const float> before;
  std::span<float> after;
};

/// The operands' slices on the device, in their order.
using SliceWindows = std::vector<ArrayPtr>;

/// Calls work(windows) for every few of these slices of a volume, with one more on each side where there is one, and
/// keeps what it wrote to those inside. Windows take no more than a sixteenth of `memory` (0: all).
void work_in_windows(Backend& device, std::int64_t memory, const ArrayShape& volume, const IndexRange& slices,
                     const std::vector<HostOperand>& operands, const std::function<void(const SliceWindows&)>& work);

}  // namespace backlit

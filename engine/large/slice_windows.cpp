#include "large/slice_windows.hpp"

#include <algorithm>

namespace backlit {
namespace {

/// Slices at a time: no more than textures hold with their neighbours, and as few as keep so many arrays of them within
/// a sixteenth of `memory`.
std::int64_t slices_at_a_time(const Capabilities& can, const ArrayShape& volume, std::int64_t slices,
                              std::int64_t arrays, std::int64_t memory) {
  std::int64_t most = slices;
  if (memory > 0)
    most = std::min(most, memory / (16 * arrays * volume.n0 * volume.n1 * std::int64_t{sizeof(float)}) - 2);
  if (can.most_slices > 2) most = std::min(most, can.most_slices - 2);
  return std::max<std::int64_t>(most, 1);
}

}  // namespace

void work_in_windows(Backend& device, std::int64_t memory, const ArrayShape& volume, const IndexRange& slices,
                     const std::vector<HostOperand>& operands, const std::function<void(const SliceWindows&)>& work) {
  const std::int64_t slice = volume.n0 * volume.n1, end = slices.end();
  const std::int64_t most = slices_at_a_time(device.capabilities(), volume, slices.count, std::ssize(operands), memory);
  SliceWindows windows(operands.size());
  std::vector<float> values;
  for (std::int64_t first = slices.first; first < end; first += most) {
    const std::int64_t count = std::min(most, end - first), begin = std::max<std::int64_t>(first - 1, 0),
                       taken = std::min(first + count + 1, volume.n2) - begin;
    const ArrayShape shape{volume.n0, volume.n1, taken};
    if (!windows.front() || windows.front()->shape() != shape)
      for (ArrayPtr& window : windows) {
        window.reset();  // before memory is asked for again
        window = device.make_array(shape);
      }
    const auto at = static_cast<std::size_t>(begin * slice), size = static_cast<std::size_t>(taken * slice);
    for (std::size_t n = 0; n < operands.size(); ++n)
      if (!operands[n].before.empty()) device.upload(operands[n].before.subspan(at, size), *windows[n]);
    work(windows);
    values.resize(size);
    for (std::size_t n = 0; n < operands.size(); ++n) {
      if (operands[n].after.empty()) continue;
      device.download(*windows[n], values);
      std::copy_n(values.begin() + (first - begin) * slice, count * slice, operands[n].after.begin() + first * slice);
    }
  }
}

}  // namespace backlit

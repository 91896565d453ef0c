#include "device/host_display_volume.hpp"

#include <algorithm>
#include <limits>

#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

constexpr std::int64_t brick = HostDisplayVolume::brick;

void update_brick(HostDisplayVolume::Frame& frame, std::int64_t index) {
  const auto [bx, by, bz] = frame.bricks;
  const std::int64_t first[3] = {index % bx * brick, index / bx % by * brick, index / (bx * by) * brick};
  std::int64_t end[3];
  for (std::size_t a = 0; a < 3; ++a) end[a] = std::min(first[a] + brick + 1, frame.volume.grid.size[a]);
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (std::int64_t k = first[2]; k < end[2]; ++k)
    for (std::int64_t j = first[1]; j < end[1]; ++j)
      for (std::int64_t i = first[0]; i < end[0]; ++i) {
        const float value = frame.volume.at(i, j, k);
        low = std::min(low, value);
        high = std::max(high, value);
      }
  frame.low[static_cast<std::size_t>(index)] = low;
  frame.high[static_cast<std::size_t>(index)] = high;
}

void update_bricks(HostDisplayVolume::Frame& frame) {
  for (std::size_t a = 0; a < 3; ++a) frame.bricks[a] = (frame.volume.grid.size[a] + brick - 1) / brick;
  const std::int64_t bricks = count(frame.bricks);
  frame.low.resize(static_cast<std::size_t>(bricks));
  frame.high.resize(static_cast<std::size_t>(bricks));
  parallel_for(bricks, [&](std::int64_t index) { update_brick(frame, index); });
}

}  // namespace

void HostDisplayVolume::publish(const DeviceArray& volume, const VolumeGrid& grid) {
  // A reader may still hold the frame before last: leave that one to the reader and make a new one.
  if (!back_ || back_.use_count() > 1) back_ = std::make_shared<Frame>();
  if (back_->volume.values.size() == grid.voxels())
    back_->volume.grid = grid;
  else
    back_->volume = Volume(grid);
  backend_.download(volume, back_->volume.values.span());
  update_bricks(*back_);
  const std::lock_guard lock(mutex_);
  back_->generation = front_->generation + 1;
  std::swap(front_, back_);
}

std::shared_ptr<const HostDisplayVolume::Frame> HostDisplayVolume::frame() const {
  const std::lock_guard lock(mutex_);
  return front_;
}

}  // namespace backlit

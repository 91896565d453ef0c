// Finished volumes in host memory, for software renderers and tests.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/device/display_volume.hpp>

namespace backlit {

/// Call publish() on the backend's thread, frame() on any.
class HostDisplayVolume final : public DisplayVolume {
 public:
  static constexpr std::int64_t brick = 16;  ///< voxels along each side of a brick

  /// One finished volume. Never changes once it can be seen.
  struct Frame {
    Volume volume;
    Size3 bricks{0, 0, 0};
    /// Least and largest value of a trilinear sample in each brick: between its first centres and the first centres of
    /// its neighbours. That is brick^3 voxels and one more layer on the upper sides. [z][y][x].
    std::vector<float> low, high;
    std::int64_t generation = 0;
  };

  explicit HostDisplayVolume(Backend& backend) : backend_(backend), front_(std::make_shared<Frame>()) {}

  void publish(const DeviceArray& volume, const VolumeGrid& grid) override;
  VolumeGrid grid() const override { return frame()->volume.grid; }
  std::int64_t generation() const override { return frame()->generation; }
  /// The frame shown now; it does not change while it is held.
  std::shared_ptr<const Frame> frame() const;

 private:
  Backend& backend_;
  mutable std::mutex mutex_;
  std::shared_ptr<Frame> front_, back_;
};

}  // namespace backlit

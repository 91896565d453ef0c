// The volume that renderers read: finished, never in the middle of an update.
#pragma once

#include <backlit/data/volume.hpp>

namespace backlit {

class DeviceArray;

/// Double buffered: publish() writes the back buffer, updates its minimum and maximum, and swaps the buffers.
class DisplayVolume {
 public:
  virtual ~DisplayVolume() = default;
  /// Shows the values of `volume` (on `grid`). They stay on the device where backend and display share one.
  virtual void publish(const DeviceArray& volume, const VolumeGrid& grid) = 0;
  /// The grid of the volume shown; zero size before the first publish.
  virtual VolumeGrid grid() const = 0;
  /// The number of swaps by publish(); viewers draw again when it changes.
  virtual std::int64_t generation() const = 0;
};

}  // namespace backlit

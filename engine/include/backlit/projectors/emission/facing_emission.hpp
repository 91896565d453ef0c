// Emission (projectors/emission/emission.hpp) through planes that face the detector, of volumes that are larger than
// the device: boxes of the volume come to it one by one, and planes wait until they have seen them all.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <backlit/device/box.hpp>
#include <backlit/device/device_array.hpp>

namespace backlit {

/// Planes first .. first + count - 1 of each of some views; 0 is the nearest to the detector.
struct PlaneBlock {
  std::int64_t first, count;
};

/// Arrays of a box's voxels: `matter`, attenuation normalised to a way of the smallest spacing
/// (normalised_attenuation()), and activity. Images: columns x rows x views, in the views' order.
class FacingEmission {
 public:
  virtual ~FacingEmission() = default;

  /// Of each of so many views.
  virtual std::int64_t planes_at_once(std::int64_t views) = 0;
  /// Whether give() looks at matter.
  virtual bool gives_by_matter() const = 0;

  /// Planes at hand from now on, empty ones, at most planes_at_once(). The views look along one axis (main_axis()); at
  /// most room.views.
  virtual void begin(std::span<const std::int64_t> views, const PlaneBlock&) = 0;
  /// Adds what a box shows of the planes at hand: samples are linear, zero outside of it.
  virtual void sample_matter(const Box&, const DeviceArray& matter) = 0;
  virtual void sample_activity(const Box&, const DeviceArray& activity) = 0;

  /// With all boxes sampled, images of what lies behind the planes at hand become those of all up to the front; in
  /// front of the whole grid they are blurred on to the detector's face.
  virtual void composite(DeviceArray& images) = 0;
  /// The transpose, with all matter sampled where gives_by_matter(): the planes at hand keep what they are given;
  /// images become what goes on to what lies behind them.
  virtual void give(DeviceArray& images) = 0;
  /// activity += what the box is given by the planes at hand.
  virtual void gather(const Box&, DeviceArray& activity) = 0;

  virtual bool matched() const = 0;
  virtual std::string variant() const = 0;
};

}  // namespace backlit

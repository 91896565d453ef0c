// Emission (projectors/emission/emission.hpp) of volumes that are larger than the device: slices come to it a slab at a
// time, and what views see of one slab goes on to the next.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <backlit/device/device_array.hpp>

namespace backlit {

/// What may lie on the device besides the part of the volume and the images: views that go through it together, and
/// values of planes: what they are given; where they face the detector (facing_emission.hpp) what they show, too.
struct EmissionRoom {
  std::int64_t views = 64, given = std::int64_t{1} << 26;
};

/// Whole slices of a grid, perpendicular to one axis: `count` of them from `first` on.
struct SliceSlab {
  std::size_t axis;
  std::int64_t first, count;
};

/// Views are those that look along the slab's axis (main_axis()), all of them towards larger slices or all towards
/// smaller ones; at most room.views. Arrays of the slab's voxels: `matter`, attenuation normalised to a way of the
/// smallest spacing (normalised_attenuation()), and activity. Images: columns x rows x views, in the views' order.
class EmissionSlabs {
 public:
  virtual ~EmissionSlabs() = default;

  /// Images of what lies behind the slab become those of all up to its front; in front of the whole grid they are
  /// blurred on to the detector's face.
  virtual void composite(const SliceSlab&, const DeviceArray& matter, const DeviceArray& activity,
                         std::span<const std::int64_t> views, DeviceArray& images) = 0;
  /// The transpose: activity += what the slab is given; images become what goes on to what lies behind it.
  virtual void give(const SliceSlab&, const DeviceArray& matter, std::span<const std::int64_t> views,
                    DeviceArray& images, DeviceArray& activity) = 0;

  virtual bool matched() const = 0;
  virtual std::string variant() const = 0;
};

}  // namespace backlit

// Emission seen through matter (projectors/emission/emission.hpp) for volumes that are larger than the device: parts of
// them take turns on it, while views go from the far ones to the near ones, or back. How a volume is cut depends on the
// planes that views go through: slices of the grid (emission_in_slabs.hpp) or planes that face the detector
// (emission_in_boxes.hpp).
#pragma once

#include <span>
#include <vector>

#include <backlit/data/host_array.hpp>
#include <backlit/projectors/emission/emission_slabs.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "large/tile.hpp"
#include "projectors/emission/emission.hpp"

namespace backlit {

/// The device, and what of its memory there is: `memory` bytes, 0 for no limit, half of it for the parts and images at
/// work and `budget` for arrays between calls.
struct EmissionDevice {
  Backend& backend;
  std::shared_ptr<Budget> budget;
  std::int64_t memory;

  std::int64_t work() const { return memory / 2; }
};

/// `attenuation`: 1/mm, of every voxel.
struct EmissionScene {
  const VolumeGrid& grid;
  const Scan& scan;
  std::span<const float> attenuation;
  const EmissionOptions& options;
};

/// The very operator of the whole volume. Views pass through host memory, and volumes or what of them has no room on
/// the device.
class TiledEmission : public LinearOperator {
 public:
  /// Null where the device takes volumes whole only. Throws InputError("--gpu-memory") where one view, or one slice
  /// that views go through whole, has no room, and what the device's make_emission_slabs() or make_facing_emission()
  /// throws.
  static std::unique_ptr<LinearOperator> make(const EmissionDevice&, const EmissionScene&);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  /// All of the volume comes to the device for each call, more than once.
  bool prefers_whole() const override { return true; }
  std::int64_t least_rows() const override { return views_; }

 protected:
  /// Eighths of what is for work: parts of the volume; images, where one view has no room in them at most so much.
  /// Planes have the rest for what they are given.
  struct Shares {
    std::int64_t parts, images, most_images;
  };
  TiledEmission(const EmissionDevice&, const EmissionScene&, const EmissionRoom&);
  static EmissionRoom room_within(const EmissionDevice&, const Detector&, const Shares&);

  /// Views that go through the planes one way, as many as the device has room for.
  struct Group {
    std::size_t axis;
    bool to_larger;                    ///< rays run towards larger slices
    std::vector<std::int64_t> views;   ///< rows of the operator
    std::vector<std::int64_t> places;  ///< of them in the array of projections
  };

  /// Work with a volume begins: to be read, overwritten or added to. And ends; `x`, if any, holds what it was given.
  virtual void open(const DeviceArray& x, Access) = 0;
  virtual void close(DeviceArray* x) = 0;
  /// From the volume to images of zero, and from images, added, to the volume.
  virtual void see(const Group&, DeviceArray& images) = 0;
  virtual void give(const Group&, DeviceArray& images) = 0;

  /// Attenuation of every voxel, normalised.
  HostArray<float> matter_of(const EmissionScene&) const;
  /// Arrays are ours, in tiles, as a rule.
  void download(const DeviceArray&, std::span<float>);
  void upload(std::span<const float>, DeviceArray&);
  const PlaneStack& planes(std::int64_t view) const { return planes_[static_cast<std::size_t>(view)]; }

  static constexpr std::size_t slot_of_matter = 0, slot_of_activity = 1, slot_of_images = 2;

  EmissionDevice device_;
  VolumeGrid grid_;
  EmissionRoom room_;
  std::vector<std::size_t> axes_;     ///< [view]
  std::shared_ptr<Staging> staging_;  ///< for tiles, parts and images

 private:
  std::vector<Group> groups(const SubsetRows&) const;
  void write_back(std::span<const float> projections, const SubsetRows&, DeviceArray& x, Write);

  Detector detector_;
  std::int64_t views_;
  std::vector<bool> to_larger_;     ///< [view]
  std::vector<PlaneStack> planes_;  ///< [view]
};

}  // namespace backlit

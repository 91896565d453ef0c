// Emission seen through matter (projector/emission.hpp) for volumes that are larger than the device: slices take turns
// on it, and views go through them from the far ones to the near ones, or back.
#pragma once

#include <span>
#include <vector>

#include "backend/emission_slabs.hpp"
#include "data/host_array.hpp"
#include "operator/subset_rows.hpp"
#include "operator/tile.hpp"

namespace backlit {

/// The very operator of the whole volume, a slab at a time. Volumes and views pass through host memory.
class TiledEmission final : public LinearOperator {
 public:
  /// `attenuation`: 1/mm, of every voxel. Half of `memory` is for the slabs and images at work, and `budget` for arrays
  /// between calls. Null where the device takes volumes whole only. Throws InputError("--gpu-memory") where not even
  /// one slice or one view has room, and what the device's make_emission_slabs() throws.
  static std::unique_ptr<LinearOperator> make(Backend& device, std::shared_ptr<Budget> budget, std::int64_t memory,
                                              const VolumeGrid& grid, const Scan& scan,
                                              std::span<const float> attenuation, const EmissionOptions& options);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool matched() const override { return slabs_->matched(); }
  /// All slices come to the device for each call, in up to six directions.
  bool prefers_whole() const override { return true; }
  std::int64_t least_rows() const override { return views_; }
  std::string variant() const override;

 private:
  TiledEmission(Backend& device, std::shared_ptr<Budget> budget, std::int64_t memory, const VolumeGrid& grid,
                const Scan& scan, std::span<const float> attenuation, const EmissionOptions& options,
                const EmissionRoom& room, std::unique_ptr<EmissionSlabs> slabs);

  /// Views that go through the slices one way, as many as the device has room for.
  struct Group {
    std::size_t axis;
    bool to_larger;                    ///< rays run towards larger slices
    std::vector<std::int64_t> views;   ///< rows of the operator
    std::vector<std::int64_t> places;  ///< of them in the array of projections
  };
  std::vector<Group> groups(const SubsetRows&) const;
  /// Slabs in the order in which rays leave them.
  std::vector<SliceSlab> slabs_of(const Group&) const;
  Box box_of(const SliceSlab&) const;
  void send(std::span<const float> whole, const Box&, DeviceArray& to);
  void back(std::span<const float> projections, std::span<float> volume, const SubsetRows&);
  void download(const DeviceArray&, std::span<float>);
  void upload(std::span<const float>, DeviceArray&);

  Backend& device_;
  std::shared_ptr<Budget> budget_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  EmissionRoom room_;
  Size3 slices_;                   ///< of a slab along each axis
  std::vector<std::size_t> axes_;  ///< [view]
  std::vector<bool> to_larger_;    ///< [view]
  HostArray<float> matter_;        ///< attenuation, normalised
  std::unique_ptr<EmissionSlabs> slabs_;
  std::shared_ptr<Staging> staging_;  ///< for tiles, slabs and images
  std::vector<float> part_;           ///< on its way
};

}  // namespace backlit

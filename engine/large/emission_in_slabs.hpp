// Emission through slices of the grid, slab after slab along the axis that views look along most.
#pragma once

#include <backlit/data/host_array.hpp>
#include "large/tiled_emission.hpp"

namespace backlit {

class EmissionInSlabs final : public TiledEmission {
 public:
  static EmissionRoom room_for(const EmissionDevice&, const EmissionScene&);
  EmissionInSlabs(const EmissionDevice&, const EmissionScene&, const EmissionRoom&, std::unique_ptr<EmissionSlabs>);

  ArrayPtr make_domain() override;
  bool matched() const override { return slabs_->matched(); }
  std::string variant() const override;

 private:
  void open(const DeviceArray& x, Access) override;
  void close(DeviceArray* x) override;
  void see(const Group&, DeviceArray& images) override;
  void give(const Group&, DeviceArray& images) override;

  Size3 slices_within_work() const;
  /// In the order in which rays leave them.
  std::vector<SliceSlab> slabs_of(const Group&) const;
  Box box_of(const SliceSlab&) const;
  /// On the device, until that slot is asked for another box.
  DeviceArray& send(std::span<const float> whole, const Box&, std::size_t slot);

  /// Images have most of the room, for every group of views takes the whole volume through the device.
  static constexpr Shares shares{2, 5, 5};
  /// On the device: matter and activity, each as it comes and as a stack, of two sizes of slab.
  static constexpr std::int64_t bytes_a_voxel = 8 * sizeof(float);

  HostArray<float> matter_;  ///< attenuation, normalised
  std::unique_ptr<EmissionSlabs> slabs_;
  Size3 slices_;             ///< of a slab along each axis
  HostArray<float> volume_;  ///< at hand
  std::vector<float> part_;  ///< on its way
};

}  // namespace backlit

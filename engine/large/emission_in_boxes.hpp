// Emission through planes that face the detector: a block of planes after the other, which boxes of the grid show
// something of one by one.
#pragma once

#include <backlit/projectors/emission/facing_emission.hpp>
#include "large/tiled_emission.hpp"

namespace backlit {

class EmissionInBoxes final : public TiledEmission {
 public:
  static EmissionRoom room_for(const EmissionDevice&, const EmissionScene&);
  EmissionInBoxes(const EmissionDevice&, const EmissionScene&, const EmissionRoom&, std::unique_ptr<FacingEmission>);

  ArrayPtr make_domain() override;
  bool matched() const override { return facing_->matched(); }
  std::string variant() const override;

 private:
  void open(const DeviceArray& x, Access) override;
  void close(DeviceArray* x) override;
  void see(const Group&, DeviceArray& images) override;
  void give(const Group&, DeviceArray& images) override;

  Size3 box_within_work() const;
  /// The farthest last.
  std::vector<PlaneBlock> blocks_of(const Group&) const;
  /// Numbers of those that any view's planes run through.
  std::vector<std::size_t> boxes_at(const Group&, const PlaneBlock&) const;

  /// Few views fill blocks of planes as well as many do, and every block takes much of the volume through the device:
  /// images have but an eighth, unless one view needs more.
  static constexpr Shares shares{2, 1, 5};
  /// On the device: matter and activity, as they come and of two sizes of box, and one 3-D texture.
  static constexpr std::int64_t bytes_a_voxel = 5 * sizeof(float);

  std::unique_ptr<FacingEmission> facing_;
  Size3 size_;                          ///< of a box
  std::vector<Box> boxes_;              ///< of the grid
  std::unique_ptr<TiledArray> matter_;  ///< attenuation, normalised
  std::vector<Tile> volume_;            ///< at hand: an array's own tiles where they are our boxes
  ArrayPtr copy_;                       ///< of one that has others
};

}  // namespace backlit

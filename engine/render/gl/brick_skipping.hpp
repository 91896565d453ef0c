// Distances for skipping empty space: for every brick of a displayed volume, how far the nearest visible brick is.
#pragma once

#include <array>
#include <vector>

#include <backlit/render/volume_rendering.hpp>
#include "device/gl/gl_display_volume.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

/// The maps are made again, on the device, when the volume's values, the transfer function or the iso value change.
/// Their memory is allocated again only when the volume's size changes.
class BrickSkipping {
 public:
  BrickSkipping();
  void update(const GlDisplayVolume::Front&, const VolumeRenderOptions&, const Classifier&);
  /// 3-D, R8UI: 0 in visible bricks, else the Chebyshev distance to the nearest visible brick, in bricks.
  const Texture& leaps(std::size_t tile) const { return maps_[tile][1]; }

 private:
  /// Visibility depends on these values.
  struct Key {
    const void* tiles = nullptr;
    std::int64_t generation = -1;
    VolumeMode mode = VolumeMode::mip;
    double iso = 0;
    Classifier classifier;
    bool operator==(const Key&) const = default;
  };
  void resize(const std::vector<GlDisplayVolume::Tile>&);
  void write_visible(const Classifier&);
  void run(const GlDisplayVolume::Tile&, std::array<Texture, 2>& map, Program& visible) const;

  Key key_;
  std::array<Program, 3> visible_;  ///< any value but 0, iso, dvr
  mutable Program distance_;
  Buffer visible_before_;
  std::vector<std::array<Texture, 2>> maps_;
};

}  // namespace backlit::gl

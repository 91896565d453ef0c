// Where rays may leap: for every brick of a displayed volume, how far the nearest one is that can be seen.
#pragma once

#include <array>
#include <vector>

#include <backlit/render/volume_rendering.hpp>
#include "device/gl/gl_display_volume.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

/// Made again, on the device, when the volume's values, the transfer function or the iso value have changed; memory
/// only when the volume's size has.
class BrickSkipping {
 public:
  BrickSkipping();
  void update(const GlDisplayVolume::Front&, const VolumeRenderOptions&, const Classifier&);
  /// 3-D, R8UI: 0 in bricks that can be seen, else the Chebyshev distance to the nearest, in bricks.
  const Texture& leaps(std::size_t tile) const { return maps_[tile][1]; }

 private:
  /// What can be seen depends on this.
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

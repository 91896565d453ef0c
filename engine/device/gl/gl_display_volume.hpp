// A volume on the device for renderers: 3-D textures, filled without a detour through the host.
// A volume larger than one such texture may be is held as several.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "device/gl/gl_array.hpp"
#include "device/host_display_volume.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

/// Voxels along each edge of a brick whose range is known; a brick's range includes the first voxels of the next.
inline constexpr std::int64_t brick_size = HostDisplayVolume::brick;

/// Voxels by which the tiles of a volume overlap that is larger than a 3-D texture may be.
inline constexpr std::int64_t tile_halo = 4;

/// An array of another backend as one of OpenGL's, brought up to date by copies on the device.
class ForeignVolume {
 public:
  virtual ~ForeignVolume() = default;
  /// Null where `array` is not of that backend.
  virtual const GlArray* updated(const DeviceArray& array) = 0;
};
/// How a backend outside the engine makes its volumes known to displays; it gets their context.
void register_foreign_volumes(std::function<std::unique_ptr<ForeignVolume>(std::shared_ptr<Context>)>);

/// publish() belongs to the thread of the context it was made with; front() to any. A renderer in a context that shares
/// objects lets its commands wait for `ready`, and is done with the textures before the publish() after next.
class GlDisplayVolume final : public DisplayVolume {
 public:
  /// `format` of the texels: GL_R32F, or GL_R16F for half the memory.
  explicit GlDisplayVolume(std::shared_ptr<Context> context, GLenum format = GL_R32F);
  ~GlDisplayVolume() override { context_->make_current_or_none(); }

  /// Takes arrays of the gl backend, and of those that registered.
  void publish(const DeviceArray& volume, const VolumeGrid& grid) override;
  VolumeGrid grid() const override { return buffers_[front_].grid; }
  std::int64_t generation() const override { return generation_; }

  /// A part of the volume that one 3-D texture holds. Parts overlap by `tile_halo` voxels on each side that has a
  /// neighbour, so that samples and gradients in a part's own voxels need no other part.
  struct Tile {
    Texture values;  ///< x y z
    Texture bricks;  ///< RG32F: least and largest value near each brick of brick_size^3 texels
    Size3 origin;    ///< voxel that texel (0, 0, 0) holds
    Size3 first;     ///< of the voxels that are this tile's own
    Size3 size;      ///< how many those are
  };

  struct Front {
    const std::vector<Tile>* tiles = nullptr;  ///< x fastest, then y, then z; null before the first publish
    const Texture* values = nullptr;           ///< of the only tile; null before the first publish or of several
    const Texture* bricks = nullptr;
    const Fence* ready = nullptr;
    VolumeGrid grid;
    std::int64_t generation = 0;
  };
  Front front() const;

 private:
  struct Buffer {
    std::vector<Tile> tiles;
    Fence ready;
    VolumeGrid grid;
  };
  void resize(Buffer&, const VolumeGrid&) const;
  void fill(Tile&, const GlArray& volume);

  std::shared_ptr<Context> context_;
  std::unique_ptr<ForeignVolume> foreign_;
  GLenum format_;
  Program convert_, range_;
  std::array<Buffer, 2> buffers_;
  mutable std::mutex mutex_;  ///< guards what a swap changes
  std::size_t front_ = 0;
  std::int64_t generation_ = 0;
};

}  // namespace backlit::gl

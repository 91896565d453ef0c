// A volume on the device for renderers: 3-D textures, filled without a copy through the host. Several textures hold a
// volume that is larger than one may be.
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

/// Voxels by which tiles overlap, where a volume is larger than a 3-D texture may be.
inline constexpr std::int64_t tile_halo = 4;

/// Provides an array of another backend as an array of gl, kept up to date by copies on the device.
class ForeignVolume {
 public:
  virtual ~ForeignVolume() = default;
  /// Null where `array` is not of that backend.
  virtual const GlArray* updated(const DeviceArray& array) = 0;
};
/// Registers a backend outside the engine for displays: `make` gets the display's context.
void register_foreign_volumes(std::function<std::unique_ptr<ForeignVolume>(std::shared_ptr<Context>)>);

/// Call publish() on the thread of the context given to the constructor, front() on any thread. A renderer in a context
/// that shares objects lets its commands wait for `ready`. It must finish with the textures before the publish() after
/// next.
class GlDisplayVolume final : public DisplayVolume {
 public:
  /// `format` of the texels: GL_R32F, or GL_R16F for half the memory.
  explicit GlDisplayVolume(std::shared_ptr<Context> context, GLenum format = GL_R32F);
  ~GlDisplayVolume() override { context_->make_current_or_none(); }

  /// Takes arrays of the gl backend and of registered backends.
  void publish(const DeviceArray& volume, const VolumeGrid& grid) override;
  VolumeGrid grid() const override { return buffers_[front_].grid; }
  std::int64_t generation() const override { return generation_; }

  /// A part of the volume that one 3-D texture holds. Parts overlap by `tile_halo` voxels on each side that has a
  /// neighbour, so that samples and gradients in a part's own voxels need no other part.
  struct Tile {
    Texture values;  ///< x y z
    Texture bricks;  ///< RG32F: least and largest value near each brick of brick_size^3 texels
    Size3 origin;    ///< voxel that texel (0, 0, 0) holds
    Size3 first;     ///< first of this tile's own voxels
    Size3 size;      ///< number of own voxels
  };

  struct Front {
    const std::vector<Tile>* tiles = nullptr;  ///< x fastest, then y, then z; null before the first publish
    const Texture* values = nullptr;           ///< the only tile's; null before the first publish or with several
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

#include "device/gl/gl_display_volume.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"

namespace backlit::gl {
namespace {

/// First own voxel and number of own voxels of each tile, along an axis of `n` voxels. A texture holds at most `most`.
std::vector<std::pair<std::int64_t, std::int64_t>> cut(std::int64_t n, std::int64_t most) {
  if (n <= most) return {{0, n}};
  const std::int64_t own = most - 2 * tile_halo;
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;
  for (std::int64_t first = 0; first < n; first += own) parts.push_back({first, std::min(own, n - first)});
  return parts;
}

GlDisplayVolume::Tile make_tile(const VolumeGrid& grid, const Size3& first, const Size3& size, GLenum format) {
  GlDisplayVolume::Tile tile{{}, {}, {}, first, size};
  Size3 texels;
  for (std::size_t a = 0; a < 3; ++a) {
    tile.origin[a] = std::max<std::int64_t>(0, first[a] - tile_halo);
    texels[a] = std::min(grid.size[a], first[a] + size[a] + tile_halo) - tile.origin[a];
  }
  const auto [x, y, z] = texels;
  tile.values = Texture("display volume", GL_TEXTURE_3D, format, x, y, z);
  tile.bricks = Texture("display bricks", GL_TEXTURE_3D, GL_RG32F, groups(x, brick_size), groups(y, brick_size),
                        groups(z, brick_size));
  return tile;
}

auto& foreign_volumes() {
  static std::function<std::unique_ptr<ForeignVolume>(std::shared_ptr<Context>)> make;
  return make;
}

/// The array itself, or its copy in OpenGL. Throws Failure for arrays of unregistered backends.
const GlArray& in_gl(const DeviceArray& array, const std::shared_ptr<Context>& context,
                     std::unique_ptr<ForeignVolume>& foreign) {
  if (!dynamic_cast<const GlArray*>(&array)) {
    if (!foreign && foreign_volumes()) foreign = foreign_volumes()(context);
    if (const GlArray* copy = foreign ? foreign->updated(array) : nullptr) return *copy;
  }
  return as_gl(array);
}

}  // namespace

void register_foreign_volumes(std::function<std::unique_ptr<ForeignVolume>(std::shared_ptr<Context>)> make) {
  foreign_volumes() = std::move(make);
}

GlDisplayVolume::GlDisplayVolume(std::shared_ptr<Context> context, GLenum format)
    : context_(std::move(context)), format_(format) {
  context_->make_current();
  convert_ = Program("publish", {"vector/to_texture3d.comp"}, {{"FORMAT", format == GL_R16F ? "r16f" : "r32f"}});
  range_ = Program("brick range", {"vector/brick_range.comp"}, {{"BRICK", std::to_string(brick_size)}});
}

void GlDisplayVolume::resize(Buffer& b, const VolumeGrid& grid) const {
  const bool same = !b.tiles.empty() && b.grid.size == grid.size;
  b.grid = grid;
  if (same) return;
  b.tiles.clear();
  const std::int64_t most = context_->limits().texture_3d_size;
  for (const auto& [z, depth] : cut(grid.size[2], most))
    for (const auto& [y, height] : cut(grid.size[1], most))
      for (const auto& [x, width] : cut(grid.size[0], most))
        b.tiles.push_back(make_tile(grid, {x, y, z}, {width, height, depth}, format_));
}

void GlDisplayVolume::fill(Tile& tile, const GlArray& volume) {
  convert_.use();
  tile.values.bind_image(0, GL_WRITE_ONLY);
  convert_.set("origin", static_cast<int>(tile.origin[0]), static_cast<int>(tile.origin[1]));
  const auto slice = static_cast<double>(tile.values.width() * tile.values.height());
  std::int64_t first = 0;  // slice of the volume that layer 0 of a texture holds
  for (const Texture& t : volume.textures()) {
    const std::int64_t from = std::max(first, tile.origin[2]);
    const std::int64_t to = std::min(first + t.depth(), tile.origin[2] + tile.values.depth());
    t.bind(0);
    context_->in_pieces(to - from, slice, [&](std::int64_t at, std::int64_t count) {
      convert_.set("first_slice", static_cast<int>(from + at - first), static_cast<int>(from + at - tile.origin[2]));
      glDispatchCompute(groups(tile.values.width(), 32), groups(tile.values.height(), 8), static_cast<GLuint>(count));
    });
    first += t.depth();
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  range_.use();
  tile.values.bind(0);
  tile.bricks.bind_image(0, GL_WRITE_ONLY);
  constexpr std::int64_t deep = 4;  // bricks of a work group
  const double layer = slice * static_cast<double>(deep * brick_size);
  context_->in_pieces(groups(tile.bricks.depth(), deep), layer, [&](std::int64_t at, std::int64_t count) {
    range_.set("first_brick", static_cast<int>(deep * at));
    glDispatchCompute(groups(tile.bricks.width(), 4), groups(tile.bricks.height(), 4), static_cast<GLuint>(count));
  });
}

void GlDisplayVolume::publish(const DeviceArray& array, const VolumeGrid& grid) {
  if (!(array.shape() == shape_of(grid)))
    throw Failure("display", "the volume's array has another shape than its grid");
  context_->make_current();
  const GlArray& volume = in_gl(array, context_, foreign_);
  Buffer& back = buffers_[1 - front_];
  resize(back, grid);
  for (Tile& tile : back.tiles) fill(tile, volume);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  back.ready = Fence::here();
  const std::lock_guard lock(mutex_);
  front_ = 1 - front_;
  ++generation_;
}

GlDisplayVolume::Front GlDisplayVolume::front() const {
  const std::lock_guard lock(mutex_);
  const Buffer& b = buffers_[front_];
  if (b.tiles.empty()) return {};
  const Tile* only = b.tiles.size() == 1 ? &b.tiles.front() : nullptr;
  return {&b.tiles, only ? &only->values : nullptr, only ? &only->bricks : nullptr, &b.ready, b.grid, generation_};
}

}  // namespace backlit::gl

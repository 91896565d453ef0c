#include "backend/gl/gl_display_volume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace backlit::gl {
namespace {

GLuint groups(std::int64_t n, std::int64_t size) { return static_cast<GLuint>((n + size - 1) / size); }

auto& foreign_volumes() {
  static std::function<std::unique_ptr<ForeignVolume>(std::shared_ptr<Context>)> make;
  return make;
}

/// The array itself, or its copy in OpenGL. Throws Failure for backends that nobody registered.
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
  const auto [x, y, z] = grid.size;
  if (const auto most = context_->limits().texture_3d_size; std::max({x, y, z}) > most)
    throw Unsupported("display",
                      fmt::format("{} x {} x {} voxels do not fit a 3-D texture of this device, at most {} "
                                  "along each axis",
                                  x, y, z, most),
                      "show a smaller region, or fewer and larger voxels");
  if (!b.values || b.grid.size != grid.size) {
    b.values = Texture("display volume", GL_TEXTURE_3D, format_, x, y, z);
    b.bricks = Texture("display bricks", GL_TEXTURE_3D, GL_RG32F, groups(x, brick_size), groups(y, brick_size),
                       groups(z, brick_size));
  }
  b.grid = grid;
}

void GlDisplayVolume::publish(const DeviceArray& array, const VolumeGrid& grid) {
  if (!(array.shape() == shape_of(grid)))
    throw Failure("display", "the volume's array has another shape than its grid");
  context_->make_current();
  const GlArray& volume = in_gl(array, context_, foreign_);
  Buffer& back = buffers_[1 - front_];
  resize(back, grid);
  convert_.use();
  back.values.bind_image(0, GL_WRITE_ONLY);
  std::int64_t first = 0;
  for (const Texture& t : volume.textures()) {
    convert_.set("first_slice", static_cast<int>(first));
    t.bind(0);
    glDispatchCompute(groups(t.width(), 32), groups(t.height(), 8), static_cast<GLuint>(t.depth()));
    first += t.depth();
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  range_.use();
  back.values.bind(0);
  back.bricks.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(back.bricks.width(), 4), groups(back.bricks.height(), 4), groups(back.bricks.depth(), 4));
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  back.ready = Fence::here();
  const std::lock_guard lock(mutex_);
  front_ = 1 - front_;
  ++generation_;
}

GlDisplayVolume::Front GlDisplayVolume::front() const {
  const std::lock_guard lock(mutex_);
  const Buffer& b = buffers_[front_];
  if (!b.values) return {};
  return {&b.values, &b.bricks, &b.ready, b.grid, generation_};
}

}  // namespace backlit::gl

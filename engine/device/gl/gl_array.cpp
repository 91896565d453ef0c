#include "device/gl/gl_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include <backlit/core/error.hpp>
#include "gl/require_device.hpp"

namespace backlit::gl {
namespace {

/// Calls f(texture, piece of it, offset of the piece's first value in the host array) for all of an array.
template <class F>
void for_pieces(const GlArray& array, F&& f) {
  const ArrayShape& n = array.shape();
  std::int64_t offset = 0;
  for (const Texture& t : array.textures()) {
    for (const TransferPiece& piece : transfer_pieces(n.n0, n.n1, t.depth())) f(t, piece, offset + piece.offset);
    offset += n.n0 * n.n1 * t.depth();
  }
}

GLint integer(std::int64_t n) { return static_cast<GLint>(n); }

}  // namespace

std::vector<TransferPiece> transfer_pieces(std::int64_t width, std::int64_t height, std::int64_t layers,
                                           std::int64_t most) {
  const std::int64_t layer = width * height;
  const std::int64_t rows = std::clamp<std::int64_t>(most / width, 1, height);
  const std::int64_t deep = rows < height ? 1 : std::max<std::int64_t>(1, most / layer);
  std::vector<TransferPiece> pieces;
  for (std::int64_t first = 0; first < layers; first += deep)
    for (std::int64_t row = 0; row < height; row += rows)
      pieces.push_back(
          {first, std::min(deep, layers - first), row, std::min(rows, height - row), first * layer + row * width});
  return pieces;
}

GlArray::GlArray(std::shared_ptr<Context> context, const std::string& label, const ArrayShape& n, GLenum format)
    : DeviceArray(n, Layout::array2d), context_(std::move(context)), format_(format) {
  const Limits& limits = context_->limits();
  if (n.n0 <= 0 || n.n1 <= 0 || n.n2 <= 0)
    throw InputError(label, fmt::format("an array of {} x {} x {} values is empty", n.n0, n.n1, n.n2));
  if (std::max(n.n0, n.n1) > limits.texture_size)
    throw Unsupported(label,
                      fmt::format("{} x {} is larger than a texture of this device may be, {} x {}", n.n0, n.n1,
                                  limits.texture_size, limits.texture_size),
                      "ask for fewer voxels or pixels, or use the cpu backend");
  layers_per_texture_ = std::min(limits.array_layers, limits.framebuffer_layers);
  context_->make_current();
  for (std::int64_t first = 0; first < n.n2; first += layers_per_texture_) {
    textures_.emplace_back(label, GL_TEXTURE_2D_ARRAY, format, n.n0, n.n1, std::min(layers_per_texture_, n.n2 - first));
    textures_.back().clear(0);
  }
}

void GlArray::check_size(std::size_t values) const {
  if (static_cast<std::int64_t>(values) != count())
    throw Failure("OpenGL array", fmt::format("{} values on the host, {} on the device", values, count()));
}

std::uint64_t GlArray::next_stamp() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

GlArray::GlArray(GlArray& whole, std::int64_t first, std::int64_t count)
    : DeviceArray({whole.shape().n0, whole.shape().n1, count}, whole.layout()),
      context_(whole.context_),
      format_(whole.format_),
      layers_per_texture_(whole.layers_per_texture_) {
  context_->make_current();
  const auto texture = static_cast<std::size_t>(first / layers_per_texture_);
  textures_.emplace_back("part", whole.textures()[texture], first % layers_per_texture_, count);
}

void GlArray::upload(std::span<const float> host) {
  check_size(host.size());
  stamp_ = next_stamp();
  for_pieces(*this, [&](const Texture& t, const TransferPiece& p, std::int64_t offset) {
    glTextureSubImage3D(t.id(), 0, 0, integer(p.first_row), integer(p.first_layer), integer(shape().n0),
                        integer(p.rows), integer(p.layers), GL_RED, GL_FLOAT, host.data() + offset);
  });
}

void GlArray::download(std::span<float> host) const {
  check_size(host.size());
  for_pieces(*this, [&](const Texture& t, const TransferPiece& p, std::int64_t offset) {
    const std::int64_t bytes = shape().n0 * p.rows * p.layers * std::int64_t{sizeof(float)};
    glGetTextureSubImage(t.id(), 0, 0, integer(p.first_row), integer(p.first_layer), integer(shape().n0),
                         integer(p.rows), integer(p.layers), GL_RED, GL_FLOAT, integer(bytes), host.data() + offset);
  });
  require_device();
}

const GlArray& as_gl(const DeviceArray& array) {
  const auto* ours = dynamic_cast<const GlArray*>(&array);
  if (!ours) throw Failure("OpenGL", "this array belongs to another backend");
  return *ours;
}

GlArray& as_gl(DeviceArray& array) { return const_cast<GlArray&>(as_gl(static_cast<const DeviceArray&>(array))); }

}  // namespace backlit::gl

#include "device/gl/gl_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include <backlit/core/error.hpp>
#include "device/array_rows.hpp"
#include "gl/pixel_buffer.hpp"
#include "gl/require_device.hpp"

namespace backlit::gl {
namespace {

/// Calls f(texture that owns the memory, piece of it, offset of the piece's first value in the host array) for layers
/// [first, first + count).
template <class F>
void for_pieces(const GlArray& array, std::int64_t first, std::int64_t count, F&& f) {
  const ArrayShape& n = array.shape();
  std::int64_t before = 0;  // layers in the textures before this one
  for (const Texture& t : array.textures()) {
    const std::int64_t begin = std::max(first - before, std::int64_t{0});
    const std::int64_t end = std::min(first + count - before, t.depth());
    const std::int64_t offset = n.n0 * n.n1 * (before + begin - first);
    for (TransferPiece piece : transfer_pieces(n.n0, n.n1, std::max(end - begin, std::int64_t{0}))) {
      piece.first_layer += t.storage_layer() + begin;
      f(t.storage(), piece, offset + piece.offset);
    }
    before += t.depth();
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
  if (std::ssize(host) != count())
    throw Failure("OpenGL array", fmt::format("{} values on the host, {} on the device", host.size(), count()));
  stamp_ = next_stamp();
  for_pieces(*this, 0, shape().n2, [&](GLuint texture, const TransferPiece& p, std::int64_t offset) {
    glTextureSubImage3D(texture, 0, 0, integer(p.first_row), integer(p.first_layer), integer(shape().n0),
                        integer(p.rows), integer(p.layers), GL_RED, GL_FLOAT, host.data() + offset);
  });
}

void GlArray::download(std::int64_t first, std::span<float> host, const MappedMemory& mapped) const {
  begin_of_rows(shape(), first, host.size(), "OpenGL array");
  const std::int64_t layers = std::ssize(host) / (shape().n0 * shape().n1);
  const auto place =
      mapped.find(reinterpret_cast<const std::byte*>(host.data()), static_cast<std::int64_t>(host.size_bytes()));
  const PixelBuffer to(GL_PIXEL_PACK_BUFFER, place ? place->buffer : 0);
  for_pieces(*this, first, layers, [&](GLuint texture, const TransferPiece& p, std::int64_t offset) {
    const std::int64_t bytes = shape().n0 * p.rows * p.layers * std::int64_t{sizeof(float)};
    void* const room =
        place ? at(place->offset + offset * std::int64_t{sizeof(float)}) : static_cast<void*>(host.data() + offset);
    glGetTextureSubImage(texture, 0, 0, integer(p.first_row), integer(p.first_layer), integer(shape().n0),
                         integer(p.rows), integer(p.layers), GL_RED, GL_FLOAT, integer(bytes), room);
  });
  if (place) glFinish();
  require_device();
}

const GlArray& as_gl(const DeviceArray& array) {
  const auto* ours = dynamic_cast<const GlArray*>(&array);
  if (!ours) throw Failure("OpenGL", "this array belongs to another backend");
  return *ours;
}

GlArray& as_gl(DeviceArray& array) { return const_cast<GlArray&>(as_gl(static_cast<const DeviceArray&>(array))); }

}  // namespace backlit::gl

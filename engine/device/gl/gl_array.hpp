// Device arrays as 2-D array textures: a layer is a slice (or a view), n0 its width, n1 its height.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <backlit/device/device_array.hpp>
#include "device/gl/mapped_memory.hpp"
#include "gl/context.hpp"
#include "gl/handles.hpp"

namespace backlit::gl {

/// A box of a texture array over its full width, moved by one transfer.
struct TransferPiece {
  std::int64_t first_layer, layers, first_row, rows;
  std::int64_t offset;  ///< from the texture's first value to the box's first value
};

/// Pieces of at most `most` values (or one row), in order, that together form a texture of width x height x layers:
/// whole layers where they are small enough, else rows of one layer. Drivers count the bytes of a transfer in 32 bits.
std::vector<TransferPiece> transfer_pieces(std::int64_t width, std::int64_t height, std::int64_t layers,
                                           std::int64_t most = std::int64_t{64} << 20);

/// An array with more layers than a texture may have is split: texture c holds layers [c * layers_per_texture(), ...).
class GlArray final : public DeviceArray {
 public:
  /// Zeroed. `format` is GL_R32F or GL_R16F. Throws Unsupported when a layer is larger than the context's textures.
  GlArray(std::shared_ptr<Context> context, const std::string& label, const ArrayShape& shape, GLenum format = GL_R32F);
  /// Layers [first, first + count) of `whole`, which must outlive this and hold them in one texture.
  GlArray(GlArray& whole, std::int64_t first, std::int64_t count);
  ~GlArray() override { context_->make_current_or_none(); }  // the textures go after this

  GLenum format() const { return format_; }
  std::int64_t layers_per_texture() const { return layers_per_texture_; }
  /// The textures for writing: data derived from the old values is now out of date.
  std::vector<Texture>& textures() {
    stamp_ = next_stamp();
    return textures_;
  }
  const std::vector<Texture>& textures() const { return textures_; }
  /// Changes whenever the values may have changed; no two arrays ever have the same stamp.
  std::uint64_t stamp() const { return stamp_; }

  void upload(std::span<const float> host);
  /// Downloads layers from `first` on, as many as `host` holds. Memory from `mapped` is written by the device itself.
  void download(std::int64_t first, std::span<float> host, const MappedMemory& mapped) const;

 private:
  static std::uint64_t next_stamp();

  std::shared_ptr<Context> context_;
  GLenum format_;
  std::int64_t layers_per_texture_;
  std::vector<Texture> textures_;
  std::uint64_t stamp_ = next_stamp();
};

/// `array` as an array of gl; throws Failure when another backend made it.
GlArray& as_gl(DeviceArray&);
const GlArray& as_gl(const DeviceArray&);

}  // namespace backlit::gl

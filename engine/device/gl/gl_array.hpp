// Device arrays as 2-D array textures: a layer is a slice (or a view), n0 its width, n1 its height.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <backlit/device/device_array.hpp>
#include "gl/context.hpp"
#include "gl/handles.hpp"

namespace backlit::gl {

/// A box of a texture array, all of its width, that one transfer moves.
struct TransferPiece {
  std::int64_t first_layer, layers, first_row, rows;
  std::int64_t offset;  ///< of its first value from the texture's
};

/// Pieces of at most `most` values (or one row), in order, that together are a texture of width x height x layers:
/// whole layers where these are small enough, rows of one otherwise. Drivers count the bytes of a transfer in 32 bits.
std::vector<TransferPiece> transfer_pieces(std::int64_t width, std::int64_t height, std::int64_t layers,
                                           std::int64_t most = std::int64_t{64} << 20);

/// More layers than a texture may have are split: texture c holds layers [c * layers_per_texture(), ...).
class GlArray final : public DeviceArray {
 public:
  /// Zeroed. `format` is GL_R32F or GL_R16F. Throws Unsupported when a layer is larger than the context's textures.
  GlArray(std::shared_ptr<Context> context, const std::string& label, const ArrayShape& shape, GLenum format = GL_R32F);
  /// Layers [first, first + count) of `whole`, which must outlive this and hold them in one texture.
  GlArray(GlArray& whole, std::int64_t first, std::int64_t count);
  ~GlArray() override { context_->make_current_or_none(); }  // the textures go after this

  GLenum format() const { return format_; }
  std::int64_t layers_per_texture() const { return layers_per_texture_; }
  /// To be written: what others derived from the values is out of date.
  std::vector<Texture>& textures() {
    stamp_ = next_stamp();
    return textures_;
  }
  const std::vector<Texture>& textures() const { return textures_; }
  /// Changes whenever the values may have; no two arrays ever have the same.
  std::uint64_t stamp() const { return stamp_; }

  void upload(std::span<const float> host);
  void download(std::span<float> host) const;

 private:
  void check_size(std::size_t values) const;
  static std::uint64_t next_stamp();

  std::shared_ptr<Context> context_;
  GLenum format_;
  std::int64_t layers_per_texture_;
  std::vector<Texture> textures_;
  std::uint64_t stamp_ = next_stamp();
};

/// The array as one of ours; throws Failure when another backend made it.
GlArray& as_gl(DeviceArray&);
const GlArray& as_gl(const DeviceArray&);

}  // namespace backlit::gl

// Device arrays as 2-D array textures: a layer is a slice (or a view), n0 its width, n1 its height.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/device_array.hpp"
#include "gl/context.hpp"
#include "gl/handles.hpp"

namespace backlit::gl {

/// More layers than a texture may have are split: texture c holds layers [c * layers_per_texture(), ...).
class GlArray final : public DeviceArray {
 public:
  /// Zeroed. `format` is GL_R32F or GL_R16F. Throws Unsupported when a layer is larger than the context's textures.
  GlArray(std::shared_ptr<Context> context, const std::string& label, const ArrayShape& shape, GLenum format = GL_R32F);
  ~GlArray() override { context_->make_current(); }  // the textures go after this

  GLenum format() const { return format_; }
  std::int64_t layers_per_texture() const { return layers_per_texture_; }
  std::vector<Texture>& textures() { return textures_; }
  const std::vector<Texture>& textures() const { return textures_; }

  void upload(std::span<const float> host);
  void download(std::span<float> host) const;

 private:
  void check_size(std::size_t values) const;

  std::shared_ptr<Context> context_;
  GLenum format_;
  std::int64_t layers_per_texture_;
  std::vector<Texture> textures_;
};

/// The array as one of ours; throws Failure when another backend made it.
GlArray& as_gl(DeviceArray&);
const GlArray& as_gl(const DeviceArray&);

}  // namespace backlit::gl

// A colour map as shaders read it.
#pragma once

#include <array>
#include <string>

#include "gl/handles.hpp"

namespace backlit::gl {

/// One row of RGBA8. Uploaded only when the name changes.
class ColormapTexture {
 public:
  ColormapTexture() = default;
  explicit ColormapTexture(const std::string& label);
  /// See colormap(): a name or a file. Throws InputError.
  void load(const std::string& name);
  /// Binds with a linear sampler that clamps. A share s of the window has the coordinate s * scale + offset.
  void bind(GLuint unit) const;
  static constexpr std::int64_t entries = 1024;
  static constexpr float scale = static_cast<float>(entries - 1) / static_cast<float>(entries);
  static constexpr float offset = 0.5f / static_cast<float>(entries);

 private:
  Texture map_;
  Sampler linear_;
  std::string name_;
};

}  // namespace backlit::gl

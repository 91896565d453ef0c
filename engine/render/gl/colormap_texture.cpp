#include "render/gl/colormap_texture.hpp"

#include <vector>

#include <backlit/render/colormap.hpp>

namespace backlit::gl {

ColormapTexture::ColormapTexture(const std::string& label)
    : map_(label, GL_TEXTURE_2D, GL_RGBA8, entries, 1), linear_(label, GL_LINEAR, GL_CLAMP_TO_EDGE) {}

void ColormapTexture::load(const std::string& name) {
  if (name == name_) return;
  const Colormap& map = colormap(name);
  std::vector<std::uint8_t> rgba;
  for (std::int64_t i = 0; i < entries; ++i) {
    const Rgb c = map.at(static_cast<double>(i) / static_cast<double>(entries - 1));
    for (const std::uint8_t channel : {c.r, c.g, c.b, std::uint8_t{255}}) rgba.push_back(channel);
  }
  glTextureSubImage2D(map_.id(), 0, 0, 0, entries, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  name_ = name;
}

void ColormapTexture::bind(GLuint unit) const {
  map_.bind(unit);
  linear_.bind(unit);
}

}  // namespace backlit::gl

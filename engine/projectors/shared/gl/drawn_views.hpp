// Views that are drawn into their own textures and then added to the projections: packed views, and views of a
// ping-pong.
#pragma once

#include "gl/handles.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

class DrawnViews {
 public:
  DrawnViews() = default;
  /// `layers` layers of width x height texels of GL_R32F or GL_RGBA32F. `what` defines the content of a texel for
  /// shaders/shared/add_drawn.comp. Two textures when `ping_pong`.
  DrawnViews(GLenum format, std::int64_t width, std::int64_t height, std::int64_t layers, const Defines& what,
             bool ping_pong);

  explicit operator bool() const { return bool(target_); }
  std::int64_t layers() const { return target_.depth(); }
  /// Zeroes the first `layers` layers.
  void clear(std::int64_t layers) { target_.clear_layers(0, 0, layers); }
  const Texture& target() const { return target_; }
  /// Ping-pong: the drawn texture can be read from unit 2, and the other texture becomes the target.
  void turn();
  /// Adds the first layers to `images`, layer i to first_layer + i * stride.
  void add_to(const Texture& images, std::int64_t first_layer, std::int64_t stride, std::int64_t layers,
              TimingTable& timings);

 private:
  Texture target_, previous_;
  Program add_;
  bool packs_groups_ = false;
};

}  // namespace backlit::gl

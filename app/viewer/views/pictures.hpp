// Converts the values of a plane to colours, and draws differences of pictures.
#pragma once

#include <span>

#include <backlit/render/colormap.hpp>
#include <backlit/render/cut_plane.hpp>
#include <backlit/render/plane.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "model/state.hpp"
#include "render/gl/colormap_texture.hpp"

namespace backlit::viewer {

/// Shader programs that all panes share.
class Painter {
 public:
  explicit Painter(std::shared_ptr<gl::Context>);

  /// `values`: 2-D R32F of the plane's size; `shown`: RGBA8 of that size, transparent outside `box`; with `fade`
  /// towards the window's lower end, too.
  void color(const gl::Texture& values, const CutPlane& plane, const VolumeGrid& box, const Window&,
             const std::string& map, const gl::Texture& shown, bool fade = false);
  /// Tints what belongs to a segment.
  void mark(const gl::Texture& values, const CutPlane& plane, double low, double high, std::span<const BrushBall>,
            const gl::Texture& shown);
  /// Tints values of materials, those of opacity 0 excepted.
  void mark(const gl::Texture& values, std::span<const Material>, const gl::Texture& shown);
  /// The same for values that have no place in space: all are shown.
  void color(const gl::Texture& values, const Window&, const std::string& map, const gl::Texture& shown);
  /// Computes second - first for two slices of one size, R32F, into `values`.
  void subtract(const gl::Texture& first, const gl::Texture& second, const gl::Texture& values);
  /// Draws the difference of two pictures (RGBA8, one size) into `shown`; a difference of 1 / gain has full colour.
  void difference(const gl::Texture& first, const gl::Texture& second, double gain, const gl::Texture& shown);

 private:
  void run(const gl::Texture& values, const Vec3& corner, const Vec3& right, const Vec3& down, const Window&,
           const std::string& map, const gl::Texture& shown, bool fade);

  std::shared_ptr<gl::Context> context_;
  gl::Program color_, difference_, subtract_, mark_, materials_;
  gl::Buffer balls_, ranges_;
  gl::ColormapTexture map_;
};

/// Makes `texture` again if its size differs.
void fit(gl::Texture& texture, const char* label, GLenum format, std::int64_t width, std::int64_t height);

/// Values of a plane, and the same in colours.
struct PlaneTextures {
  gl::Texture values{}, shown{};
  /// Loads the plane; both textures then have its size. Painter::color() fills `shown`.
  void load(const Plane&);
};

}  // namespace backlit::viewer

// Volume rendering on the device: rays through the 3-D textures of a displayed volume, by compute or fragment shader.
#pragma once

#include <array>

#include <backlit/render/volume_rendering.hpp>
#include "render/gl/brick_skipping.hpp"
#include "render/gl/camera_block.hpp"
#include "render/gl/finisher.hpp"
#include "render/gl/transfer_texture.hpp"

namespace backlit::gl {

enum class RenderPath { compute, fragment };

/// Renders into a texture of its own, or one given. Nothing is allocated in a frame unless the picture's or the
/// volume's size has changed; what depends on transfer function, iso value or values of the volume is made again only
/// when those have changed. Programs are compiled when a mode is first used.
///
///   renderer.render(display.front(), camera_rays(turntable, grid, w, h), options, classifier);
///   renderer.show({window, "gray"}, shown);   // as often as only the window or colours change
class VolumeRenderer {
 public:
  explicit VolumeRenderer(std::shared_ptr<Context> context, RenderPath path = RenderPath::compute);
  ~VolumeRenderer() { context_->make_current_or_none(); }

  /// Waits, on the device, for front.ready. `classifier` matters to mode dvr alone. Throws InputError when options
  /// cannot be used or nothing has been published.
  void render(const GlDisplayVolume::Front&, const CameraRays&, const VolumeRenderOptions&, const Classifier&);
  /// The same into `found`, a texture of make_found() of the camera's size.
  void render(const GlDisplayVolume::Front&, const CameraRays&, const VolumeRenderOptions&, const Classifier&,
              const Texture& found);

  /// What the last render() into the own texture found; see PictureKind.
  const Texture& found() const { return found_; }
  /// The last picture in colours. `shown` is a texture of make_shown() of its size.
  void show(const Finish&, const Texture& shown);
  const CameraBlock& camera() const { return camera_; }

 private:
  Program& program(VolumeMode, bool tiled);
  void draw(const Texture& found);

  std::shared_ptr<Context> context_;
  RenderPath path_;
  std::array<std::array<Program, 2>, 5> programs_;
  CameraBlock camera_;
  Buffer block_;
  Sampler linear_;
  TransferTexture transfer_;
  Classifier classifier_;  ///< what transfer_ holds
  BrickSkipping skipping_;
  Finisher finisher_;
  Framebuffer nothing_;  ///< fragment path: of the picture's size, without attachments
  VertexArray no_vertices_;
  Texture found_;
  PictureKind kind_ = PictureKind::values;
};

}  // namespace backlit::gl

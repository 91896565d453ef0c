// Volume rendering on the device: rays through the 3-D textures of a displayed volume, by compute or fragment shader.
#pragma once

#include <array>

#include <backlit/render/volume_rendering.hpp>
#include "render/gl/brick_skipping.hpp"
#include "render/gl/camera_block.hpp"
#include "render/gl/finisher.hpp"
#include "render/gl/light_volume.hpp"
#include "render/gl/transfer_texture.hpp"

namespace backlit::gl {

enum class RenderPath { compute, fragment };

/// Renders into its own texture or a given one. A frame allocates nothing unless the size of the picture or the volume
/// has changed. Data that depends on transfer function, iso value or the volume's values is made again only when those
/// have changed. Programs are compiled when a mode is first used.
///
///   renderer.render(display.front(), camera_rays(turntable, grid, w, h), options, classifier);
///   renderer.show({window, "gray"}, shown);   // as often as only the window or colours change
class VolumeRenderer {
 public:
  explicit VolumeRenderer(std::shared_ptr<Context> context, RenderPath path = RenderPath::compute);
  ~VolumeRenderer() { context_->make_current_or_none(); }

  /// Waits, on the device, for front.ready. Only mode dvr reads `classifier`. Throws InputError when options cannot be
  /// used or nothing has been published.
  void render(const GlDisplayVolume::Front&, const CameraRays&, const VolumeRenderOptions&, const Classifier&);
  /// The same into `found`, a texture from make_found() of the camera's size.
  void render(const GlDisplayVolume::Front&, const CameraRays&, const VolumeRenderOptions&, const Classifier&,
              const Texture& found);

  /// The result of the last render() into the own texture; see PictureKind.
  const Texture& found() const { return found_; }
  /// The last picture in colours. `shown` is a texture from make_shown() of its size.
  void show(const Finish&, const Texture& shown);
  const CameraBlock& camera() const { return camera_; }

 private:
  Program& program(VolumeMode, bool tiled);
  /// Makes the light for what render() is about to show.
  void make_light(const GlDisplayVolume::Front&, const CameraRays&, const VolumeRenderOptions&, const Classifier&);
  void draw(const Texture& found);

  std::shared_ptr<Context> context_;
  RenderPath path_;
  std::array<std::array<Program, 2>, 5> programs_;
  CameraBlock camera_;
  Buffer block_;
  Sampler linear_;
  TransferTexture transfer_;
  Classifier classifier_;  ///< the one in transfer_
  BrickSkipping skipping_;
  LightVolume light_;
  std::array<Program, 2> extinction_;  ///< iso, dvr
  Finisher finisher_;
  Framebuffer nothing_;  ///< fragment variant: of the picture's size, without attachments
  VertexArray no_vertices_;
  Texture found_;
  PictureKind kind_ = PictureKind::values;
};

}  // namespace backlit::gl

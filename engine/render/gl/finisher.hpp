// The last pass of every renderer: from what rays found to what is shown.
#pragma once

#include <array>

#include <backlit/render/image.hpp>
#include <backlit/render/picture.hpp>
#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "gl/program.hpp"
#include "render/gl/camera_block.hpp"
#include "render/gl/colormap_texture.hpp"

namespace backlit::gl {

/// Texture of four floats a pixel that renderers write into; row 0 is the top of the picture.
Texture make_found(std::int64_t width, std::int64_t height);
/// Texture of 8 bits a channel that Finisher writes and windows show; row 0 is the top of the picture.
Texture make_shown(std::int64_t width, std::int64_t height);

/// Allocates nothing after the first use of a kind, but for a colour map's name that is new to it.
class Finisher {
 public:
  explicit Finisher(std::shared_ptr<Context> context);
  ~Finisher() { context_->make_current_or_none(); }

  /// `found` and `shown` have the camera's size. Orders itself after shaders that wrote `found`, and before whatever
  /// reads `shown`.
  void run(const Texture& found, PictureKind, const CameraBlock&, const Finish&, const Texture& shown);

 private:
  Program& program(PictureKind);

  std::shared_ptr<Context> context_;
  std::array<Program, 3> programs_;
  ColormapTexture map_;
};

/// Waits for the device.
Image read_shown(const Texture& shown);
/// Four floats a pixel, rows from the top. Waits for the device.
std::vector<float> read_found(const Texture& found);

}  // namespace backlit::gl

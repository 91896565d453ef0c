// A finished 3-D picture of any camera, with all surfaces, drawn in strips over several frames.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "frame.hpp"
#include "views/volume_picture.hpp"

namespace backlit::viewer {

class StillPicture {
 public:
  explicit StillPicture(std::shared_ptr<gl::Context> context) : context_(std::move(context)) {}
  /// Draws a strip; the picture once it is complete. `look`: all but the camera.
  std::optional<Image> approach(Frame&, const ViewState& look, const Turntable& camera, std::int64_t width,
                                std::int64_t height);

 private:
  std::shared_ptr<gl::Context> context_;
  std::vector<std::unique_ptr<VolumePicture>> pictures_;  ///< made at first use; several for several surfaces
};

/// What a picture of that camera shows: the volume, or its surfaces, the innermost first.
std::vector<SurfaceLook> looks_from(const Frame&, const ViewState& look, const Turntable& camera, std::int64_t width,
                                    std::int64_t height);

}  // namespace backlit::viewer

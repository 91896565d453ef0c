// The 3-D picture of the volume: coarse during interaction, sharp afterwards. No call takes longer than a frame may.
#pragma once

#include "render/gl/volume_renderer.hpp"
#include "views/look.hpp"

namespace backlit::viewer {

class VolumePicture {
 public:
  explicit VolumePicture(std::shared_ptr<gl::Context>);

  /// Improves the picture of `look`; true when it is finished. The volume must not be empty.
  bool update(const gl::GlDisplayVolume::Front&, const Look&);
  /// Like update(), without a coarse picture first.
  bool approach(const gl::GlDisplayVolume::Front&, const Look&);
  /// Row 0 at the top. While it is coarse, its size differs from the requested one.
  const gl::Texture& shown() const { return sharp_ ? fine_ : coarse_; }
  bool sharp() const { return sharp_; }

 private:
  bool begins(const gl::GlDisplayVolume::Front&, const Look&);
  void render(const gl::GlDisplayVolume::Front&, const Look&, gl::Texture& found, const gl::Texture& shown);
  void render_coarse(const gl::GlDisplayVolume::Front&, const Look&);
  void render_rows(const gl::GlDisplayVolume::Front&, const Look&, double seconds);

  std::shared_ptr<gl::Context> context_;
  gl::VolumeRenderer renderer_;
  gl::Finisher finisher_;
  const double moving_, still_;  ///< seconds allowed for a frame
  Look look_;
  std::int64_t generation_ = -1;
  double seconds_per_pixel_ = 2e-6;  ///< measured; pessimistic at first
  bool sharp_ = false;
  std::int64_t row_ = 0;  ///< rows of fine_ that are finished
  gl::Texture found_, strip_, coarse_, fine_;
};

/// A camera with one pixel for each n x n pixels.
CameraRays coarser(CameraRays, std::int64_t n);
/// A camera for rows [first, first + count) of a picture.
CameraRays rows_of(CameraRays, std::int64_t first, std::int64_t count);

}  // namespace backlit::viewer

// The 3-D view: the volume, rendering straight from projections (D2VR), both side by side with their difference, the
// oblique slice as a cut through the volume, and the scan.
#pragma once

#include "frame.hpp"
#include "model/sources/adjusted_scan.hpp"
#include "views/panes/oblique_slice.hpp"
#include "views/volume_picture.hpp"

namespace backlit::viewer {

class VolumePane {
 public:
  explicit VolumePane(gl::GlBackend&);
  /// `wide`: the camera stands far enough away to see the whole scanner.
  void draw(Frame&, const Rect&, ObliqueSlice&, bool wide);

 private:
  CameraRays camera(const Frame&, std::int64_t width, std::int64_t height, bool wide);
  void take_hands(Frame&, const Hands&, const Rect&, const CameraRays&, bool wide);
  bool drag_oblique(Frame&, const Hands&, const CameraRays&);
  void draw_volume(Frame&, const Rect&, const Look&);
  /// The pinned volume A and the one shown, B; see compare_modes().
  void draw_compared(Frame&, const Rect&, const Look&, const std::string& mode);
  void draw_d2vr(Frame&, const Rect&, const Look&);
  void draw_split(Frame&, const Rect&, bool wide, ObliqueSlice&);
  /// Lines over a picture: box, crosshair, oblique slice, axes, and the scan.
  void draw_over(Frame&, const Rect&, const CameraRays&, ObliqueSlice&, bool wide);
  /// Draws what the worker made of projections; false when there is nothing for this size yet.
  bool update_d2vr(Frame&, const Look&);

  std::shared_ptr<gl::Context> context_;
  VolumePicture volume_;
  std::unique_ptr<VolumePicture> pinned_;  ///< made when there is one
  AdjustedScan scan_;
  gl::Finisher finisher_;
  gl::CameraBlock d2vr_camera_;
  gl::Texture d2vr_, difference_, whole_;
  Look asked_;  ///< of the worker
  std::int64_t asked_generation_ = -1;
  std::uint64_t serial_ = 0, shown_serial_ = 0;
  double shown_refinement_ = 0;
  Finish shown_finish_;
  std::string d2vr_detail_;
  bool holds_oblique_ = false;  ///< the button went down on the oblique slice
};

}  // namespace backlit::viewer

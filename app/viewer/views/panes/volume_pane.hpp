// The 3-D view. It shows the volume, the rendering directly from projections (D2VR), or both with their difference. It
// also shows the oblique slice as a cut through the volume, and the scan.
#pragma once

#include "frame.hpp"
#include "model/sources/adjusted_scan.hpp"
#include "views/panes/clip_box.hpp"
#include "views/panes/oblique_slice.hpp"
#include "views/volume_picture.hpp"

namespace backlit::viewer {

class VolumePane {
 public:
  explicit VolumePane(gl::GlBackend&);
  /// `wide`: the camera is far enough away to show the whole scanner.
  void draw(Frame&, const Rect&, ObliqueSlice&, bool wide);

 private:
  CameraRays camera(const Frame&, std::int64_t width, std::int64_t height, bool wide);
  void take_pointer(Frame&, const PointerInput&, const CameraRays&, bool wide);
  /// A click with a measuring tool takes the point of what is seen there.
  bool measure(Frame&, const PointerInput&, const CameraRays&);
  /// Measurements in space, and the points of the one in the making.
  void draw_measured(const Frame&, const Rect&, const CameraRays&) const;
  bool drag_oblique(Frame&, const PointerInput&, const CameraRays&);
  /// The surface of the segment, tinted, over what draw_volume() has drawn.
  void draw_segment_surface(Frame&, const Rect&, Look);
  void draw_volume(Frame&, const Rect&, const Look&);
  void draw_surfaces(Frame&, const Rect&, const std::vector<SurfaceLook>&);
  /// Draws the pinned volume A and the shown volume B; see compare_modes().
  void draw_compared(Frame&, const Rect&, const Look&, const std::string& mode);
  void draw_d2vr(Frame&, const Rect&, const Look&);
  void draw_split(Frame&, const Rect&, bool wide, ObliqueSlice&);
  /// Draws lines over a picture: box, crosshair, oblique slice, axes, and the scan.
  void draw_over(Frame&, const Rect&, const CameraRays&, ObliqueSlice&, bool wide);
  /// Draws the worker's picture from projections; false if there is none for this size yet.
  bool update_d2vr(Frame&, const Look&);

  std::shared_ptr<gl::Context> context_;
  VolumePicture volume_;
  std::unique_ptr<VolumePicture> pinned_;   ///< made at first use
  std::unique_ptr<VolumePicture> segment_;  ///< made at first use
  std::vector<std::unique_ptr<VolumePicture>> surfaces_;
  AdjustedScan scan_;
  gl::Finisher finisher_;
  gl::CameraBlock d2vr_camera_;
  gl::Texture d2vr_, difference_, whole_;
  Look asked_;  ///< last request to the worker
  std::int64_t asked_generation_ = -1;
  std::uint64_t serial_ = 0, shown_serial_ = 0;
  double shown_refinement_ = 0;
  Finish shown_finish_;
  std::string d2vr_detail_;
  ClipBox clip_box_;
  bool holds_oblique_ = false;  ///< the button was pressed on the oblique slice
};

}  // namespace backlit::viewer

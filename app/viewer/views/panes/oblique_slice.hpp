// An oblique slice: from the volume at once, and from the projections as soon as the worker has computed it.
#pragma once

#include "views/panes/slice_view.hpp"

namespace backlit::viewer {

class ObliqueSlice {
 public:
  explicit ObliqueSlice(gl::GlBackend& backend) : slicer_(backend) {}

  /// Draws the slice in its own pane.
  void draw(Frame&, const Rect&);
  /// Updates the textures from the state; panes that show the slice in space call this too.
  void update(Frame&, const CutPlane&);
  /// Plane and picture of the last update; the picture is null before.
  const gl::Texture* shown() const { return shown_; }
  const CutPlane& plane() const { return plane_; }
  /// A plane that covers the volume's box, for panes that show the slice in space.
  static CutPlane covering(const Frame&);

 private:
  void take_pointer(Frame&, const PointerInput&, const PlaneMap&) const;

  gl::VolumeSlicer slicer_;
  SliceTextures from_volume_, from_views_;
  CutPlane plane_, asked_;
  std::int64_t asked_parameters_ = -1, asked_runs_ = -1;
  bool sharp_ = false;
  const gl::Texture* shown_ = nullptr;
  std::shared_ptr<const JobPicture> held_;  ///< source of from_views_
};

/// Turns a plane about its own axes by degrees.
void turn(ObliqueState&, double about_up, double about_right);

}  // namespace backlit::viewer

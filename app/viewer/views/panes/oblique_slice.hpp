// A slice anywhere: from the volume at once, and from the projections as soon as the worker has computed it.
#pragma once

#include "views/panes/slice_view.hpp"

namespace backlit::viewer {

class ObliqueSlice {
 public:
  explicit ObliqueSlice(gl::GlBackend& backend) : slicer_(backend) {}

  /// A pane of its own.
  void draw(Frame&, const Rect&);
  /// Brings textures up to date with the state; panes that show it in space call this too.
  void update(Frame&, const CutPlane&);
  /// The plane and picture of the last update; null before.
  const gl::Texture* shown() const { return shown_; }
  const CutPlane& plane() const { return plane_; }
  /// The plane that covers the volume's box, for panes that show it in space.
  static CutPlane covering(const Frame&);

 private:
  void take_hands(Frame&, const Hands&, const PlaneMap&) const;

  gl::VolumeSlicer slicer_;
  SliceTextures from_volume_, from_views_;
  CutPlane plane_, asked_;
  std::int64_t asked_parameters_ = -1, asked_runs_ = -1;
  bool sharp_ = false;
  const gl::Texture* shown_ = nullptr;
  std::shared_ptr<const JobPicture> held_;  ///< what from_views_ was made of
};

/// Turns a plane about its own axes, degrees.
void turn(ObliqueState&, double about_up, double about_right);

}  // namespace backlit::viewer

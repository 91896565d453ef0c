// One of the three slices through the crosshair; beside the pinned volume's slice when A and B are compared.
#pragma once

#include "views/panes/slice_view.hpp"

namespace backlit::viewer {

class OrthogonalPane {
 public:
  OrthogonalPane(gl::GlBackend& backend, Axis axis) : axis_(axis), slicer_(backend) {}
  void draw(Frame&, const Rect&);

 private:
  enum class Volume { pinned, shown, both };

  CutPlane plane(const Frame&, const Rect&) const;
  /// Draws the whole pane, or the half that shows one of the volumes.
  void draw_part(Frame&, const Rect&, Volume);
  /// Draws the slice; returns text to show after the slice's name.
  std::string draw_picture(Frame&, const PlaneMap&, Volume);
  void draw_difference(Frame&, const PlaneMap&);
  void take_pointer(Frame&, const PointerInput&, const PlaneMap&);
  /// Moves the line between A and B; true while it is dragged.
  bool move_wipe(Frame&, const PointerInput&, const Rect&);
  void draw_crosshair(const Frame&, const PlaneMap&) const;

  Axis axis_;
  gl::VolumeSlicer slicer_;
  SliceTextures textures_, pinned_;
  gl::Texture subtracted_, difference_shown_;
  bool holds_wipe_ = false;
};

}  // namespace backlit::viewer

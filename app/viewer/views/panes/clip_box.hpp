// The crop box in the 3-D view: its edges, and handles on its faces that can be dragged.
#pragma once

#include "frame.hpp"
#include "model/values/clip_handles.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

class ClipBox {
 public:
  /// Left button on a handle: moves its face, or the whole box. `rays`: of the pane's picture. Returns whether it used
  /// the input.
  bool take_pointer(Frame&, const PointerInput&, const CameraRays&);
  void draw(const Frame&, const Rect&, const CameraRays&) const;

 private:
  int held_ = -1, near_ = -1;
};

}  // namespace backlit::viewer

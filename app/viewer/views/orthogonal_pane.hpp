// One of three linked slices across x, y and z, which meet in the crosshair.
#pragma once

#include <backlit/render/plane.hpp>
#include "views/slice_view.hpp"

namespace backlit::viewer {

class OrthogonalPane {
 public:
  OrthogonalPane(gl::GlBackend& backend, Axis axis) : axis_(axis), slicer_(backend) {}
  void draw(Frame&, const Rect&);

 private:
  CutPlane plane(const Frame&, const Rect&) const;
  void take_hands(Frame&, const Hands&, const PlaneMap&) const;
  void draw_crosshair(const Frame&, const PlaneMap&) const;

  Axis axis_;
  gl::VolumeSlicer slicer_;
  SliceTextures textures_;
};

}  // namespace backlit::viewer

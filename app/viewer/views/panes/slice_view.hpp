// One slice: its position, its drawing, and mouse input in it. The three orthogonal panes and the oblique one share it.
#pragma once

#include "frame.hpp"
#include "render/gl/slicer.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

/// Maps between mm and the pixels of a pane.
struct PlaneMap {
  CutPlane plane;
  Rect rect;

  Vec3 point(ImVec2 at) const { return plane.point(at.x, at.y); }
  /// Screen px of a point projected onto the plane.
  ImVec2 screen(const Vec3& point) const;
  /// mm above the plane, towards the viewer.
  double height(const Vec3& point) const { return glm::dot(point - plane.center, plane.normal()); }
};

/// Textures of one slice; drawn again after a change of their contents.
class SliceTextures {
 public:
  /// Draws a slice of a volume: the one shown, or the pinned one.
  void update(Frame&, const gl::GlDisplayVolume::Front&, gl::VolumeSlicer&, const CutPlane&);
  /// Draws given values of this plane.
  void update(Frame&, const gl::Texture& values, const CutPlane&);
  const gl::Texture& shown() const { return shown_; }
  const gl::Texture& values() const { return values_; }  ///< only for a slice of a volume

 private:
  struct Key {
    std::int64_t generation = -1;
    CutPlane plane;
    Window window;
    std::string map;
    std::uint64_t source = 0;
  };
  static bool same(const Key&, const Key&, bool values_only);
  Key key_;
  gl::Texture values_, shown_;
};

/// mm of a pixel with which `grid` fits a pane of this size at zoom 1, along any axis; all slices share it.
double fitting_pixel(const VolumeGrid&, const ImVec2& pane);

// Mouse input in any slice; each function returns whether it used the input.
void drag_window(Frame&, const Hands&);                     ///< right button: level up and down, width across
bool pan_and_zoom(Frame&, const Hands&, const PlaneMap&);   ///< middle button or shift, ctrl + wheel
bool use_tools(Frame&, const Hands&, const PlaneMap&);      ///< left button, unless the tool is the crosshair
bool choose_window(Frame&, const Hands&, const PlaneMap&);  ///< ctrl + left button: window from a rectangle's values

/// A double click enlarges this pane, another one restores the layout; returns whether it did.
bool enlarge(Frame&, const Hands&, const std::string& pane);

/// Draws the measurements in the plane (within half a voxel), and the unfinished one.
void draw_measurements(Frame&, const Hands&, const PlaneMap&);

}  // namespace backlit::viewer

// One slice: its position, its drawing, and mouse input in it. The three orthogonal panes and the oblique one share it.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

/// How values of a slice become colours.
struct SliceColors {
  Window window;
  std::string map;
  bool fade = false;  ///< clear towards the window's lower end
  bool operator==(const SliceColors&) const = default;
};

/// What is marked in a slice: the segment, with its values resolved.
struct SegmentMark {
  double low = 0, high = 0;
  std::vector<BrushBall> balls;
  bool operator==(const SegmentMark&) const = default;
};

/// Textures of one slice, drawn again when something that they show has changed.
class SliceTextures {
 public:
  /// From the volume shown, with its segment.
  void update(Frame&, gl::VolumeSlicer&, const CutPlane&);
  /// From the pinned volume, which may be turned and moved.
  void update_pinned(Frame&, gl::VolumeSlicer&, const CutPlane&);
  /// From values that somebody else made for this plane.
  void update(Frame&, const gl::Texture& values, const CutPlane&);
  const gl::Texture& shown() const { return shown_; }
  const gl::Texture& values() const { return values_; }  ///< only for a slice of a volume

 private:
  struct Key {
    std::int64_t generation = -1;
    CutPlane plane;
    gl::Slab slab;
    std::uint64_t source = 0;
    SliceColors colors;
    std::optional<SegmentMark> segment;
    bool smooth = true;
    std::vector<Material> materials{};
  };
  static bool same(const Key&, const Key&, bool values_only);
  void update(Frame&, const gl::GlDisplayVolume::Front&, gl::VolumeSlicer&, Key);
  Key key_;
  gl::Texture values_, shown_;
};

/// mm of a pixel with which `grid` fits a pane of this size at zoom 1, along any axis; all slices share it.
double fitting_pixel(const VolumeGrid&, const ImVec2& pane);

// Mouse input in any slice; each function returns whether it used the input.
void drag_window(Frame&, const PointerInput&);  ///< right button: level up and down, width across
/// Middle button or shift, ctrl + wheel. `own`: the place to change in place of the one that all slices share.
bool pan_and_zoom(Frame&, const PointerInput&, const PlaneMap&, SlicePlace* own = nullptr);
bool move_measured_point(Frame&, const PointerInput&, const PlaneMap&);  ///< left button on a point of a measurement
bool use_tools(Frame&, const PointerInput&, const PlaneMap&);      ///< left button, unless the tool is the crosshair
bool paint_segment(Frame&, const PointerInput&, const PlaneMap&);  ///< left button, with the tools paint and erase
bool drag_box(Frame&, const PointerInput&, const PlaneMap&);       ///< left button, with the tool box: the crop box
bool move_pinned(Frame&, const PointerInput&, const PlaneMap&);    ///< left button, with the tool move A: Ctrl turns it
bool choose_window(Frame&, const PointerInput&, const PlaneMap&);  ///< ctrl + left button: from a rectangle's values

/// A double click enlarges this pane, another one restores the layout; returns whether it did.
bool enlarge(Frame&, const PointerInput&, const std::string& pane);

/// The crop box where the plane cuts it, while it is in use or the tool is the box.
void draw_crop_box(Frame&, const PlaneMap&);

/// Where the borders of voxels cut the plane, if they are asked for, of those axes along which they are 8 units apart.
void draw_pixel_grid(Frame&, const PlaneMap&);

/// Measurements that lie in the plane (within half a voxel), and the one in the making.
void draw_measurements(Frame&, const PointerInput&, const PlaneMap&);

}  // namespace backlit::viewer

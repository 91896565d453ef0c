// The scan drawn over a picture: source, detector, rays, trajectory, and the volume's box.
#pragma once

#include <span>

#include <backlit/render/camera.hpp>
#include "model/engine/events.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

/// A box around the volume and the whole scanner, for cameras that show all of it.
VolumeGrid surroundings(const VolumeGrid&, const SourceInfo&);

/// Draws the box's edges in the picture of `rays`, which fills `rect`.
void draw_box(const Rect&, const CameraRays&, const VolumeGrid&, ImU32 color, float width);
void draw_scan(const Rect&, const CameraRays&, const Scan&, std::int64_t view, float unit);
void draw_crystals(const Rect&, const CameraRays&, std::span<const Vec3f> crystals, float unit);
/// A small set of axes at the bottom left.
void draw_axes(const Rect&, const CameraRays&, float unit);

/// Draws a segment in space, cut off behind the eye.
void draw_segment(const Rect&, const CameraRays&, const Vec3& from, const Vec3& to, ImU32 color, float width);

}  // namespace backlit::viewer

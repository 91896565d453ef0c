#include "views/panes/oblique_slice.hpp"

#include <fmt/format.h>

#include <glm/gtc/matrix_transform.hpp>
#include <utility>

#include "views/look.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr std::int64_t side_in_space = 512;  ///< px, side of the slice in the 3-D view

}  // namespace

void turn(ObliqueState& o, double about_up, double about_right) {
  const CutPlane now = oriented_plane(o.normal, o.up, "oblique slice");
  const glm::dmat4 yaw = glm::rotate(glm::dmat4(1), about_up * radians_per_degree, now.up);
  const glm::dmat4 both = glm::rotate(yaw, about_right * radians_per_degree, now.right);
  o.normal = glm::normalize(Vec3(both * glm::dvec4(now.normal(), 0)));
  o.up = glm::normalize(Vec3(both * glm::dvec4(now.up, 0)));
}

CutPlane ObliqueSlice::covering(const Frame& frame) {
  const VolumeGrid grid = frame.grid();
  const double side = 1.02 * glm::length(grid.upper() - grid.lower());
  return oblique_plane(frame.next.oblique, side / static_cast<double>(side_in_space), side_in_space, side_in_space);
}

void ObliqueSlice::update(Frame& frame, const CutPlane& plane) {
  plane_ = plane;
  const bool views = frame.next.oblique.from_views && frame.status.source && frame.status.source->has_views;
  if (views &&
      (!(plane == asked_) || asked_parameters_ != frame.model.parameters() || asked_runs_ != frame.status.runs)) {
    frame.model.request_oblique(plane);
    asked_ = plane;
    asked_parameters_ = frame.model.parameters();
    asked_runs_ = frame.status.runs;
  }
  const auto& made = frame.status.oblique;
  // Show it even if it was made with other parameters: it is closer to the wanted slice than the volume.
  sharp_ = views && made && made->texture && made->plane == plane;
  if (sharp_) {
    if (made != held_) made->ready.wait_on_device();
    held_ = made;
    from_views_.update(frame, made->texture, made->plane);
    shown_ = &from_views_.shown();
  } else if (frame.has_volume()) {
    from_volume_.update(frame, slicer_, plane);
    shown_ = &from_volume_.shown();
  } else {
    shown_ = nullptr;
  }
}

void ObliqueSlice::draw(Frame& frame, const Rect& asked) {
  const Rect rect{{std::floor(asked.min.x), std::floor(asked.min.y)},
                  {std::floor(asked.size.x), std::floor(asked.size.y)}};
  const PointerInput pointer = pane("Oblique", rect);
  if (rect.size.x < 1 || rect.size.y < 1 || frame.grid().voxels() < 1) return;
  const LayoutState& layout = frame.next.layout;
  const double own = layout.linked_zoom ? 1 : layout.oblique_zoom;
  const double pixel = fitting_pixel(frame.grid(), rect.size) / (layout.slice_zoom * own);
  const PlaneMap map{oblique_plane(frame.next.oblique, pixel, static_cast<std::int64_t>(rect.size.x),
                                   static_cast<std::int64_t>(rect.size.y)),
                     rect};
  update(frame, map.plane);
  if (shown_) draw_texture(rect, *shown_);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(rect.min, rect.max(), true);
  take_pointer(frame, pointer, map);
  draw_pixel_grid(frame, map);
  draw_measurements(frame, pointer, map);
  if (layout.show_scale_bar) scale_bar(rect, map.plane.pixel, frame.length_unit());
  list.PopClipRect();
  const auto& made = frame.status.oblique;
  const std::string detail =
      (sharp_ ? fmt::format("from {:.0f} % of the views, {:.2f} s", 100 * made->refinement, made->seconds)
              : std::string("from the volume")) +
      frame.state_of_volume();
  pane_title(rect, "Oblique", palette().second_label, detail);
}

void ObliqueSlice::take_pointer(Frame& frame, const PointerInput& pointer, const PlaneMap& map) const {
  if (pointer.hovered) frame.probe(map.point(pointer.at));
  drag_window(frame, pointer);
  if (enlarge(frame, pointer, "oblique")) return;
  if (paint_segment(frame, pointer, map) || choose_window(frame, pointer, map) ||
      move_measured_point(frame, pointer, map) || use_tools(frame, pointer, map))
    return;
  ObliqueState& o = frame.next.oblique;
  const bool moved = pointer.moved.x != 0 || pointer.moved.y != 0;
  if (moved && (pointer.button == 2 || (pointer.button == 0 && pointer.shift))) {
    o.center += map.plane.pixel * (static_cast<double>(pointer.moved.y) * map.plane.up -
                                   static_cast<double>(pointer.moved.x) * map.plane.right);
    frame.edited("oblique slice");
  } else if (moved && pointer.button == 0) {
    turn(o, 0.4 * pointer.moved.x, 0.4 * pointer.moved.y);
    frame.edited("oblique slice");
  }
  if (pointer.wheel == 0) return;
  if (pointer.ctrl) {
    LayoutState& layout = frame.next.layout;
    double& zoom = layout.linked_zoom ? layout.slice_zoom : layout.oblique_zoom;
    const double before = std::exchange(zoom, std::clamp(zoom * std::pow(1.15, pointer.wheel), 0.2, 200.0));
    o.center += (1 - before / zoom) * (map.point(pointer.at) - map.plane.center);  // this point stays at its place
    frame.edited("zoom");
  } else {
    const VolumeGrid grid = frame.grid();
    o.center += (pointer.shift ? 10.0 : 1.0) * pointer.wheel * glm::dot(grid.spacing, glm::abs(map.plane.normal())) *
                map.plane.normal();
    frame.edited("oblique slice");
  }
}

}  // namespace backlit::viewer

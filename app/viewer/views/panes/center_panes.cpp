#include "views/panes/center_panes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

CutPlane axial(const Frame& frame, const Rect& rect) {
  const VolumeGrid grid = frame.grid();
  CutPlane p;
  p.right = Vec3(1, 0, 0);
  p.up = Vec3(0, 1, 0);
  p.center = grid.center + frame.next.layout.slice_pan;
  p.center.z = frame.next.crosshair.z;
  p.pixel = fitting_pixel(grid, rect.size) / frame.next.layout.slice_zoom;
  p.width = static_cast<std::int64_t>(rect.size.x);
  p.height = static_cast<std::int64_t>(rect.size.y);
  return p;
}

}  // namespace

void CenterPanes::draw(Frame& frame, const Rect& all) {
  const auto& source = frame.status.source;
  if (!source || !source->has_views || source->arriving) {
    pane("no centres", all);
    return pane_title(all, "Centres", palette().label,
                      source && source->arriving ? "the scan is still being measured" : "needs projections");
  }
  const float gap = 2 * frame.unit;
  const auto part = [&](int i) {
    const Rect r = all.row(i / side, side, gap).column(i % side, side, gap);
    return Rect{{std::floor(r.min.x), std::floor(r.min.y)}, {std::floor(r.size.x), std::floor(r.size.y)}};
  };
  if (part(0).size.x < 16 || part(0).size.y < 16) return;
  const CutPlane plane = axial(frame, part(0));
  ask(frame, plane);
  for (int i = 0; i < side * side; ++i) draw_part(frame, part(i), plane, i);
}

void CenterPanes::ask(Frame& frame, const CutPlane& plane) {
  const double step = frame.next.layout.center_step;
  const bool same = source_ == frame.status.source && plane_ == plane && step_ == step &&
                    parameters_ == frame.model.parameters() && runs_ == frame.status.runs;
  if (same || ImGui::IsAnyMouseDown()) return;
  std::vector<double> shifts;
  for (int i = 0; i < side * side; ++i) shifts.push_back(step * (i - side * side / 2));
  frame.model.request_centers(plane, shifts);
  source_ = frame.status.source;
  plane_ = plane;
  step_ = step;
  parameters_ = frame.model.parameters();
  runs_ = frame.status.runs;
}

void CenterPanes::draw_part(Frame& frame, const Rect& rect, const CutPlane& plane, int index) {
  constexpr int middle = side * side / 2;
  const double shift = frame.next.layout.center_step * (index - middle);
  const double column = frame.status.source->center_px + frame.next.geometry.center_shift + shift;
  const PointerInput pointer = pane(fmt::format("centre {}", index + 1).c_str(), rect);
  const PlaneMap map{plane, rect};
  drag_window(frame, pointer);
  if (!pan_and_zoom(frame, pointer, map) && pointer.released && pointer.button == 0 && index != middle) {
    frame.next.geometry.center_shift += shift;
    frame.edited("center_shift");
  }
  Part& part = parts_[static_cast<std::size_t>(index)];
  const auto& made = frame.status.centers;
  const auto picture = made.size() == parts_.size() ? made[static_cast<std::size_t>(index)] : nullptr;
  if (picture && picture->plane == plane) {
    if (part.held != picture) picture->ready.wait_on_device();
    part.held = picture;
    part.textures.update(frame, picture->texture, picture->plane);
    draw_texture(rect, part.textures.shown());
  }
  if (index == middle)
    ImGui::GetWindowDrawList()->AddRect(rect.min, rect.max(), palette().accent, 0, 0, 2 * frame.unit);
  pane_title(rect, fmt::format("Column {:.2f}", column), index == middle ? palette().label : palette().first_label,
             !picture          ? "computing ..."
             : index == middle ? "now"
                               : fmt::format("{:+.4g} px", shift));
}

}  // namespace backlit::viewer

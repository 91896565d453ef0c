#include "views/panes/candidate_panes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// The axial slice, or the coronal one: what turns the detector is seen best far from the middle.
CutPlane plane_for(const Frame& frame, const Rect& rect, const Candidates& c) {
  const VolumeGrid grid = frame.grid();
  const bool axial = c.parameter->axial || is_flat(grid);
  CutPlane p;
  p.right = Vec3(1, 0, 0);
  p.up = axial ? Vec3(0, frame.status.source->patient ? -1 : 1, 0) : Vec3(0, 0, 1);
  p.center = grid.center + frame.next.layout.slice_pan;
  const int across = axial ? 2 : 1;
  p.center[across] = frame.next.crosshair[across];
  p.pixel = fitting_pixel(grid, rect.size) / frame.next.layout.slice_zoom;
  p.width = static_cast<std::int64_t>(rect.size.x);
  p.height = static_cast<std::int64_t>(rect.size.y);
  return p;
}

/// The value as the parameter's slider shows it.
std::string words(const Frame& frame, const GeometryParameter& p, double value) {
  if (std::string_view(p.name) == "center_shift")
    return fmt::format("Column {:.2f}", frame.status.source->center_px + value);
  return fmt::format("{} {:.4g}", spoken(p.name), value);
}

}  // namespace

void CandidatePanes::draw(Frame& frame, const Rect& all, const Candidates& c) {
  const auto& source = frame.status.source;
  if (!source || !source->has_views || source->arriving) {
    pane("no candidates", all);
    return pane_title(all, "Candidates", palette().label,
                      source && source->arriving ? "the scan is still being measured" : "needs projections");
  }
  const float gap = 2 * frame.unit;
  const auto part = [&](int i) {
    const Rect r = all.row(i / c.columns, c.rows, gap).column(i % c.columns, c.columns, gap);
    return Rect{{std::floor(r.min.x), std::floor(r.min.y)}, {std::floor(r.size.x), std::floor(r.size.y)}};
  };
  if (part(0).size.x < 16 || part(0).size.y < 16) return;
  const CutPlane plane = plane_for(frame, part(0), c);
  ask(frame, plane, c);
  for (int i = 0; i < c.count(); ++i) draw_part(frame, part(i), plane, c, i);
}

void CandidatePanes::ask(Frame& frame, const CutPlane& plane, const Candidates& c) {
  const bool same = source_ == frame.status.source && plane_ == plane && asked_ == c &&
                    parameters_ == frame.model.parameters() && runs_ == frame.status.runs;
  if (same || ImGui::IsAnyMouseDown()) return;
  std::vector<GeometryState> geometries(static_cast<std::size_t>(c.count()), frame.next.geometry);
  for (int i = 0; i < c.count(); ++i)
    geometries[static_cast<std::size_t>(i)].*c.parameter->member += c.step * (i - c.count() / 2);
  frame.model.request_candidates(plane, std::move(geometries));
  source_ = frame.status.source;
  plane_ = plane;
  asked_ = c;
  parameters_ = frame.model.parameters();
  runs_ = frame.status.runs;
}

void CandidatePanes::draw_part(Frame& frame, const Rect& rect, const CutPlane& plane, const Candidates& c, int index) {
  const int middle = c.count() / 2;
  const double shift = c.step * (index - middle);
  double& value = frame.next.geometry.*c.parameter->member;
  const double shown = value + shift;
  const PointerInput pointer = pane(fmt::format("candidate {}", index + 1).c_str(), rect);
  const PlaneMap map{plane, rect};
  drag_window(frame, pointer);
  if (!pan_and_zoom(frame, pointer, map) && pointer.released && pointer.button == 0 && index != middle) {
    value = shown;
    frame.edited(c.parameter->name);
  }
  Part& part = parts_[static_cast<std::size_t>(index)];
  const auto& made = frame.status.candidates;
  const auto picture =
      made.size() == static_cast<std::size_t>(c.count()) ? made[static_cast<std::size_t>(index)] : nullptr;
  if (picture && picture->plane == plane) {
    if (part.held != picture) picture->ready.wait_on_device();
    part.held = picture;
    part.textures.update(frame, picture->texture, picture->plane);
    draw_texture(rect, part.textures.shown());
  }
  if (index == middle)
    ImGui::GetWindowDrawList()->AddRect(rect.min, rect.max(), palette().accent, 0, 0, 2 * frame.unit);
  pane_title(rect, words(frame, *c.parameter, shown), index == middle ? palette().label : palette().first_label,
             !picture          ? "computing ..."
             : index == middle ? "now"
                               : fmt::format("{:+.4g}", shift));
}

}  // namespace backlit::viewer

#include "views/panes/sinogram_pane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "window/theme.hpp"

namespace backlit::viewer {

std::int64_t row_of(const Detector& d, const View& view, const Vec3& point) {
  const bool parallel = view.beam == Beam::parallel;
  const Vec3 from = parallel ? point : view.source, along = parallel ? view.direction : point - view.source,
             normal = glm::cross(view.u, view.v);
  const double slope = glm::dot(along, normal);
  const Vec3 hit = slope == 0 ? view.center : from + glm::dot(view.center - from, normal) / slope * along;
  const double row = glm::dot(hit - view.center, view.v) / glm::dot(view.v, view.v) + d.middle_row();
  return std::llround(std::clamp(row, 0.0, static_cast<double>(d.rows - 1)));
}

void SinogramPane::ask(Frame& frame, std::int64_t row) {
  const auto& source = frame.status.source;
  if (source->arriving || ImGui::IsAnyMouseDown()) return;
  if (source == source_ && row == asked_row_ && asked_runs_ == frame.status.runs) return;
  frame.model.request_sinogram(row);
  source_ = source;
  asked_row_ = row;
  asked_runs_ = frame.status.runs;  // a run may have other corrections
}

void SinogramPane::load(Frame& frame) {
  const Plane& p = held_->values;
  window_ = percentile_window(p.values, 0.5, 99.8);
  map_ = frame.next.display.map;
  picture_.load(p);
  frame.painter.color(picture_.values, window_, map_, picture_.shown);
}

void SinogramPane::draw(Frame& frame, const Rect& rect) {
  const PointerInput pointer = pane("Sinogram", rect);
  const Scan& scan = frame.status.source->scan;
  const std::int64_t views = scan.view_count();
  std::int64_t& view = frame.next.layout.view;
  if (pointer.button == 0 && rect.size.y > 1) {
    const double share = static_cast<double>(pointer.at.y) / static_cast<double>(rect.size.y);
    const auto at =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(views)), 0, views - 1);
    if (std::exchange(view, at) != at) frame.edited("view");
  }
  const View& shown = scan.views[static_cast<std::size_t>(std::clamp<std::int64_t>(view, 0, views - 1))];
  ask(frame, row_of(scan.detector, shown, {0, 0, frame.next.crosshair.z}));
  const auto& made = frame.status.sinogram;
  if (!made) return pane_title(rect, "Sinogram", palette().label, "computing ...");
  if (made != held_ || map_ != frame.next.display.map) {
    held_ = made;
    load(frame);
  }
  draw_texture(rect, picture_.shown);
  const float y = rect.min.y + (static_cast<float>(view) + 0.5f) / static_cast<float>(views) * rect.size.y;
  line(*ImGui::GetWindowDrawList(), {rect.min.x, y}, {rect.max().x, y}, palette().tool, frame.unit);
  pane_title(rect, "Sinogram", palette().label,
             fmt::format("row {}, {:.3g} to {:.3g}", held_->row, window_.low, window_.high));
}

}  // namespace backlit::viewer

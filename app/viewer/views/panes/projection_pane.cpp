#include "views/panes/projection_pane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr double patience = 0.5;  ///< seconds between requests while the volume keeps changing

std::string view_in_words(const Frame& frame) {
  const SourceInfo& source = *frame.status.source;
  const auto view = static_cast<std::size_t>(frame.next.layout.view);
  const std::string angle = view < source.angles_deg.size() ? fmt::format(", {:.1f}°", source.angles_deg[view]) : "";
  return fmt::format("view {} of {}{}", view, source.scan.view_count(), angle);
}

}  // namespace

Rect fitted(const Rect& rect, const Plane& p) {
  const double width = static_cast<double>(p.width) * p.pixel_x, height = static_cast<double>(p.height) * p.pixel_y;
  const double scale = std::min(rect.size.x / width, rect.size.y / height);
  const ImVec2 size{static_cast<float>(scale * width), static_cast<float>(scale * height)};
  return {
      {std::round(rect.min.x + 0.5f * (rect.size.x - size.x)), std::round(rect.min.y + 0.5f * (rect.size.y - size.y))},
      size};
}

void ProjectionPane::ask(Frame& frame) {
  if (!frame.has_volume()) return;
  const std::int64_t view =
      std::clamp<std::int64_t>(frame.next.layout.view, 0, frame.status.source->scan.view_count() - 1);
  const bool stale = asked_generation_ != frame.front.generation && ImGui::GetTime() > asked_at_ + patience;
  if (view == asked_view_ && asked_generation_ == frame.front.generation) return;
  if (view == asked_view_ && !stale) return frame.again();
  frame.model.request_comparison(view);
  asked_view_ = view;
  asked_generation_ = frame.front.generation;
  asked_at_ = ImGui::GetTime();
}

void ProjectionPane::load(Frame& frame, const ViewComparison& c) {
  const std::array<const Plane*, 3> planes{&c.measured, &c.reprojected, &c.difference};
  window_ = percentile_window(c.measured.values, 0.5, 99.8);
  const Window apart = percentile_window(c.difference.values, 1, 99);
  const double most = std::max({std::abs(apart.low), std::abs(apart.high), 1e-6});
  difference_window_ = {-most, most};
  map_ = frame.next.display.map;
  for (std::size_t i = 0; i < 3; ++i) {
    const Plane& p = *planes[i];
    if (p.values.empty()) {
      pictures_[i] = {};
      continue;
    }
    pictures_[i].load(p);
    frame.painter.color(pictures_[i].values, i == 2 ? difference_window_ : window_, i == 2 ? "difference" : map_,
                        pictures_[i].shown);
  }
}

void browse_views(Frame& frame, const PointerInput& pointer) {
  if (pointer.wheel == 0) return;
  const std::int64_t views = frame.status.source->scan.view_count();
  const auto steps = static_cast<std::int64_t>(std::lround(pointer.wheel)) * (pointer.shift ? 10 : 1);
  std::int64_t& view = frame.next.layout.view;
  view = (view + steps % views + views) % views;
  frame.edited("view");
}

void ProjectionPane::draw_part(Frame& frame, const Rect& rect, int part) {
  const char* ids[] = {"Measured", "Reprojected", "Difference"};
  const ImU32 colors[] = {palette().label, palette().first_label, palette().second_label};
  browse_views(frame, pane(ids[part], rect));
  const PlaneTextures& p = pictures_[static_cast<std::size_t>(part)];
  std::string detail;
  if (held_ && p.shown) {
    const Plane& plane = part == 0 ? held_->measured : part == 1 ? held_->reprojected : held_->difference;
    draw_texture(fitted(rect, plane), p.shown, true);
    const Window& w = part == 2 ? difference_window_ : window_;
    detail = part == 2 ? fmt::format("{:.2f} % off, shown ± {:.3g}", 100 * held_->relative, w.high)
                       : fmt::format("{:.3g} to {:.3g}", w.low, w.high);
  } else if (part > 0) {
    detail = frame.has_volume() ? "Computing ..." : "needs a volume";
  }
  if (part == 0) detail = view_in_words(frame) + (detail.empty() ? "" : ": ") + detail;
  pane_title(rect, ids[part], colors[part], detail);
}

std::array<Rect, 4> ProjectionPane::arranged(const Rect& all, const Detector& d, float gap) {
  const Plane shape{d.columns, d.rows, d.pixel_u, d.pixel_v, {}};
  std::array<Rect, 4> best;
  float widest = -1;
  for (const int columns : {2, 4, 1}) {
    std::array<Rect, 4> places;
    for (int i = 0; i < 4; ++i)
      places[static_cast<std::size_t>(i)] = all.row(i / columns, 4 / columns, gap).column(i % columns, columns, gap);
    const float width = fitted(places[0], shape).size.x;
    if (width <= widest) continue;
    widest = width;
    best = places;
  }
  if (best[1].min.x != best[0].min.x || best[2].min.x != best[0].min.x) return best;
  // Views of few rows leave their room to the sinogram.
  const float title = 2.5f * ImGui::GetFontSize(),
              view = std::min(best[0].size.y, fitted(best[0], shape).size.y + title);
  for (std::size_t i = 0; i < 4; ++i) best[i].min.y = all.min.y + static_cast<float>(i) * (view + gap);
  for (std::size_t i = 0; i < 3; ++i) best[i].size.y = view;
  best[3].size.y = all.max().y - best[3].min.y;
  return best;
}

void ProjectionPane::draw(Frame& frame, const Rect& rect) {
  const auto& source = frame.status.source;
  if (!source || !source->has_views || source->scan.views.empty()) {
    pane("no projections", rect);
    return pane_title(rect, "Projections", palette().label,
                      frame.model.list_mode() ? "none: a PET list is open" : "none: a volume is open");
  }
  ask(frame);
  if (frame.status.comparison && (frame.status.comparison != held_ || map_ != frame.next.display.map)) {
    held_ = frame.status.comparison;
    load(frame, *held_);
  }
  const auto places = arranged(rect, source->scan.detector, 2 * frame.unit);
  for (int part = 0; part < 3; ++part) draw_part(frame, places[static_cast<std::size_t>(part)], part);
  sinogram_.draw(frame, places[3]);
}

}  // namespace backlit::viewer

#include "views/panes/slice_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "views/measuring.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

bool same(const CutPlane& a, const CutPlane& b) {
  return a.center == b.center && a.right == b.right && a.up == b.up && a.pixel == b.pixel && a.width == b.width &&
         a.height == b.height;
}

/// Samples a rectangle of the plane, for its percentiles.
std::vector<float> values_within(Frame& frame, const PlaneMap& map, ImVec2 a, ImVec2 b) {
  constexpr int side = 64;
  std::vector<Vec3> points;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const float s = (static_cast<float>(i) + 0.5f) / side, t = (static_cast<float>(j) + 0.5f) / side;
      points.push_back(map.point({a.x + s * (b.x - a.x), a.y + t * (b.y - a.y)}));
    }
  std::vector<float> values = frame.model.values_at(points);
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  return values;
}

}  // namespace

ImVec2 PlaneMap::screen(const Vec3& point) const {
  const Vec3 d = point - plane.center;
  const double x = glm::dot(d, plane.right) / plane.pixel + 0.5 * static_cast<double>(plane.width);
  const double y = -glm::dot(d, plane.up) / plane.pixel + 0.5 * static_cast<double>(plane.height);
  return {rect.min.x + static_cast<float>(x), rect.min.y + static_cast<float>(y)};
}

bool SliceTextures::same(const Key& a, const Key& b, bool values_only) {
  return a.generation == b.generation && a.source == b.source && viewer::same(a.plane, b.plane) &&
         (values_only || (a.window == b.window && a.map == b.map));
}

void SliceTextures::update(Frame& frame, const gl::GlDisplayVolume::Front& front, gl::VolumeSlicer& slicer,
                           const CutPlane& plane) {
  const DisplayState& display = frame.next.display;
  const Key key{front.generation, plane, {display.low, display.high}, display.map, 0};
  if (same(key, key_, false)) return;
  fit(values_, "slice", GL_R32F, plane.width, plane.height);
  fit(shown_, "slice in colours", GL_RGBA8, plane.width, plane.height);
  if (!same(key, key_, true)) slicer.render(front, plane, values_);
  frame.painter.color(values_, plane, front.grid, key.window, key.map, shown_);
  key_ = key;
}

void SliceTextures::update(Frame& frame, const gl::Texture& values, const CutPlane& plane) {
  const DisplayState& display = frame.next.display;
  const Key key{-1, plane, {display.low, display.high}, display.map, values.id()};
  if (same(key, key_, false)) return;
  fit(shown_, "slice in colours", GL_RGBA8, plane.width, plane.height);
  frame.painter.color(values, plane, frame.grid(), key.window, key.map, shown_);
  key_ = key;
}

double fitting_pixel(const VolumeGrid& grid, const ImVec2& pane) {
  const Vec3 extent = grid.upper() - grid.lower();
  const double across = std::max(extent.x, extent.y), up = std::max(extent.y, extent.z);
  return 1.04 * std::max(across / std::max(pane.x, 1.0f), up / std::max(pane.y, 1.0f));
}

void drag_window(Frame& frame, const Hands& hands) {
  if (hands.button != 1 || (hands.moved.x == 0 && hands.moved.y == 0)) return;
  DisplayState& d = frame.next.display;
  double range = d.high - d.low;
  if (frame.status.histogram)
    range = std::max(range, 0.25 * (frame.status.histogram->high - frame.status.histogram->low));
  const double step = range / (400.0 * frame.unit);
  const double level = 0.5 * (d.low + d.high) + step * hands.moved.y;
  const double width = std::max(d.high - d.low + step * hands.moved.x, 1e-3 * range);
  d.low = level - 0.5 * width;
  d.high = level + 0.5 * width;
  frame.edited("window");
}

bool pan_and_zoom(Frame& frame, const Hands& hands, const PlaneMap& map) {
  LayoutState& layout = frame.next.layout;
  if (hands.button == 2 || (hands.button == 0 && hands.shift)) {
    if (hands.moved.x == 0 && hands.moved.y == 0) return true;
    layout.slice_pan += map.plane.pixel * (static_cast<double>(hands.moved.y) * map.plane.up -
                                           static_cast<double>(hands.moved.x) * map.plane.right);
    frame.edited("pan");
    return true;
  }
  if (hands.wheel != 0 && hands.ctrl) {
    const double factor = std::pow(1.15, hands.wheel);
    const double zoom = std::clamp(layout.slice_zoom * factor, 0.2, 200.0);
    const Vec3 under = map.point(hands.at) - map.plane.center;  // this point stays at its place
    layout.slice_pan += (1 - layout.slice_zoom / zoom) * under;
    layout.slice_zoom = zoom;
    frame.edited("zoom");
    return true;
  }
  return false;
}

bool choose_window(Frame& frame, const Hands& hands, const PlaneMap& map) {
  if (hands.button != 0 || !hands.ctrl || !frame.has_volume()) return false;
  const ImVec2 a{map.rect.min.x + hands.start.x, map.rect.min.y + hands.start.y}, b = ImGui::GetIO().MousePos;
  ImGui::GetWindowDrawList()->AddRect({std::min(a.x, b.x), std::min(a.y, b.y)},
                                      {std::max(a.x, b.x), std::max(a.y, b.y)}, palette().first_label, 0, 0,
                                      1.5f * frame.unit);
  if (!hands.released || std::abs(a.x - b.x) < 4 || std::abs(a.y - b.y) < 4) return true;
  const auto values = values_within(frame, map, hands.start, hands.at);
  if (values.empty()) return true;
  const Window window = percentile_window(values, 1, 99);
  frame.next.display.low = window.low;
  frame.next.display.high = window.high;
  frame.edited("window of a region");
  return true;
}

bool use_tools(Frame& frame, const Hands& hands, const PlaneMap& map) {
  const std::string& tool = frame.next.layout.tool;
  const auto kind = measurement_kind(tool);
  if (frame.pending.tool != tool) frame.pending = {tool, {}};
  if (!kind) return false;
  if (hands.button != 0 || hands.shift || hands.ctrl) return false;
  auto& points = frame.pending.points;
  const bool far = std::hypot(hands.at.x - hands.start.x, hands.at.y - hands.start.y) > 4 * frame.unit;
  if (hands.pressed || (hands.released && far && !points.empty())) points.push_back(map.point(hands.at));
  if (points.size() < point_count(*kind)) return true;
  frame.next.measurements.push_back({*kind, std::move(points)});
  frame.pending.points.clear();
  frame.edited(tool);
  return true;
}

bool enlarge(Frame& frame, const Hands& hands, const std::string& pane) {
  if (!hands.double_clicked || frame.next.layout.tool != "crosshair") return false;
  std::string& large = frame.next.layout.large;
  large = large == pane ? "" : pane;
  frame.edited("layout");
  return true;
}

void draw_measurements(Frame& frame, const Hands& hands, const PlaneMap& map) {
  const VolumeGrid grid = frame.grid();
  const double near = 0.75 * std::max({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const auto screen = [&](const Vec3& p) { return map.screen(p); };
  for (std::size_t i = 0; i < frame.next.measurements.size(); ++i) {
    const Measurement& m = frame.next.measurements[i];
    const bool here = std::ranges::all_of(m.points, [&](const Vec3& p) { return std::abs(map.height(p)) < near; });
    if (here)
      draw_measurement(m, screen, fmt::format("{}: {}", i + 1, short_result(m, frame.length_unit())), frame.unit);
  }
  const auto kind = measurement_kind(frame.pending.tool);
  if (!kind || frame.pending.points.empty() || !hands.hovered) return;
  Measurement m{*kind, frame.pending.points};
  if (std::abs(map.height(m.points.front())) > near) return;
  m.points.push_back(map.point(hands.at));
  draw_measurement(m, screen, m.points.size() == point_count(*kind) ? short_result(m, frame.length_unit()) : "",
                   frame.unit);
}

}  // namespace backlit::viewer

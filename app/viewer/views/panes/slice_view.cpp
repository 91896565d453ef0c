#include "views/panes/slice_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/values/nearest_edge.hpp"
#include "views/look.hpp"
#include "views/measuring.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

SliceColors colors_of(const DisplayState& d) { return {{d.low, d.high}, d.map}; }

std::vector<Material> shown_materials(const ViewState& state) {
  return state.display.materials ? state.materials : std::vector<Material>{};
}

gl::Slab slab_of(const LayoutState& layout) {
  using Show = gl::Slab::Show;
  const Show show = layout.slab_mode == "mean"       ? Show::mean
                    : layout.slab_mode == "smallest" ? Show::smallest
                                                     : Show::largest;
  return {layout.slab, show};
}

/// In which axis of space a direction of a plane points; the plane may be oblique.
int axis_of(const Vec3& v) {
  const Vec3 size = glm::abs(v);
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/// Samples of a rectangle of the plane, for its percentiles.
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

/// Whether the plane shows a measurement: all of its points lie in it, within a voxel.
bool shows(const Frame& frame, const PlaneMap& map, const Measurement& m) {
  const VolumeGrid grid = frame.grid();
  const double near = 0.75 * std::max({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  return std::ranges::all_of(m.points, [&](const Vec3& p) { return std::abs(map.height(p)) < near; });
}

/// The part of a line within the grid's box, as distances from `point` along `direction`.
std::optional<std::pair<double, double>> within(const VolumeGrid& grid, const Vec3& point, const Vec3& direction) {
  double from = -1e30, to = 1e30;
  const Vec3 slack = 1e-6 * grid.spacing;  // a line in a face of the box is within it
  for (int a = 0; a < 3; ++a) {
    const double low = grid.lower()[a] - slack[a] - point[a], high = grid.upper()[a] + slack[a] - point[a];
    if (std::abs(direction[a]) < 1e-9) {
      if (low > 0 || high < 0) return std::nullopt;
      continue;
    }
    from = std::max(from, std::min(low / direction[a], high / direction[a]));
    to = std::min(to, std::max(low / direction[a], high / direction[a]));
  }
  if (!(from < to)) return std::nullopt;
  return std::pair(from, to);
}

/// The point that a measurement takes: the pointer's, or with `snap` (Alt: the other way round) that of an edge near
/// it.
Vec3 measured_point(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  const Vec3 at = map.point(pointer.at);
  if (frame.next.layout.snap == pointer.alt || !frame.has_volume()) return at;
  const VolumeGrid grid = frame.grid();
  const double voxel = std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const DisplayState& d = frame.next.display;
  const double least = 0.02 * (d.high - d.low) / voxel;  // of the window a voxel
  const auto edge = nearest_edge(map.plane, at, 12 * frame.unit * map.plane.pixel, 0.5 * voxel, least,
                                 [&](std::span<const Vec3> points) { return frame.model.values_at(points); });
  return edge.value_or(at);
}

/// The point of a measurement under the pointer: the measurement's number and the point's.
std::optional<std::pair<std::size_t, std::size_t>> point_near(const Frame& frame, const PlaneMap& map, ImVec2 at) {
  const auto& measurements = frame.next.measurements;
  for (std::size_t i = measurements.size(); i-- > 0;)  // the last one lies on top
    for (std::size_t j = 0; j < measurements[i].points.size(); ++j) {
      const ImVec2 p = map.screen(measurements[i].points[j]);
      const float x = p.x - map.rect.min.x - at.x, y = p.y - map.rect.min.y - at.y;
      if (std::hypot(x, y) < 7 * frame.unit && shows(frame, map, measurements[i])) return std::pair(i, j);
    }
  return std::nullopt;
}

}  // namespace

ImVec2 PlaneMap::screen(const Vec3& point) const {
  const Vec3 d = point - plane.center;
  const double x = glm::dot(d, plane.right) / plane.pixel + 0.5 * static_cast<double>(plane.width);
  const double y = -glm::dot(d, plane.up) / plane.pixel + 0.5 * static_cast<double>(plane.height);
  return {rect.min.x + static_cast<float>(x), rect.min.y + static_cast<float>(y)};
}

bool SliceTextures::same(const Key& a, const Key& b, bool values_only) {
  return a.generation == b.generation && a.source == b.source && a.slab == b.slab && a.plane == b.plane &&
         a.smooth == b.smooth &&
         (values_only || (a.colors == b.colors && a.segment == b.segment && a.materials == b.materials));
}

void SliceTextures::update(Frame& frame, const gl::GlDisplayVolume::Front& front, gl::VolumeSlicer& slicer, Key key) {
  if (same(key, key_, false)) return;
  const CutPlane& plane = key.plane;
  fit(values_, "slice", GL_R32F, plane.width, plane.height);
  fit(shown_, "slice in colours", GL_RGBA8, plane.width, plane.height);
  if (!same(key, key_, true)) slicer.render(front, plane, values_, key.slab, key.smooth);
  frame.painter.color(values_, plane, front.grid, key.colors.window, key.colors.map, shown_, key.colors.fade);
  frame.painter.mark(values_, key.materials, shown_);
  if (key.segment) frame.painter.mark(values_, plane, key.segment->low, key.segment->high, key.segment->balls, shown_);
  key_ = std::move(key);
}

void SliceTextures::update(Frame& frame, gl::VolumeSlicer& slicer, const CutPlane& plane) {
  Key key{frame.front.generation,        plane, slab_of(frame.next.layout), 0,
          colors_of(frame.next.display), {},    frame.next.display.smooth,  shown_materials(frame.next)};
  if (frame.next.segment.shown && key.slab.thickness == 0) {
    const auto [low, high] = frame.model.segment_range();
    key.segment = SegmentMark{low, high, frame.next.segment.balls};
  }
  update(frame, frame.front, slicer, std::move(key));
}

void SliceTextures::update_pinned(Frame& frame, gl::VolumeSlicer& slicer, const CutPlane& plane) {
  const auto& front = frame.model.pinned_front();
  const RigidMotion motion = motion_of(frame.next.pinned, front.grid);
  CutPlane own = plane;  // where A came from
  if (!motion.identity()) {
    own.center = motion.undo(plane.center);
    own.right = glm::normalize(motion.undo_direction(plane.right));
    own.up = glm::normalize(motion.undo_direction(plane.up));
  }
  const SliceColors colors{pinned_window(frame.next, frame.status), pinned_map(frame.next),
                           frame.next.layout.compare == "overlay"};
  update(frame, front, slicer,
         {front.generation, own, slab_of(frame.next.layout), 0, colors, {}, frame.next.display.smooth});
}

void SliceTextures::update(Frame& frame, const gl::Texture& values, const CutPlane& plane) {
  const Key key{-1, plane, {}, values.id(), colors_of(frame.next.display), {}, true, shown_materials(frame.next)};
  if (same(key, key_, false)) return;
  fit(shown_, "slice in colours", GL_RGBA8, plane.width, plane.height);
  frame.painter.color(values, plane, frame.grid(), key.colors.window, key.colors.map, shown_);
  frame.painter.mark(values, key.materials, shown_);
  key_ = key;
}

double fitting_pixel(const VolumeGrid& grid, const ImVec2& pane) {
  const Vec3 extent = grid.upper() - grid.lower();
  const double across = std::max(extent.x, extent.y), up = std::max(extent.y, extent.z);
  return 1.04 * std::max(across / std::max(pane.x, 1.0f), up / std::max(pane.y, 1.0f));
}

void drag_window(Frame& frame, const PointerInput& pointer) {
  if (pointer.button != 1 || (pointer.moved.x == 0 && pointer.moved.y == 0)) return;
  DisplayState& d = frame.next.display;
  double range = d.high - d.low;
  if (frame.status.histogram)
    range = std::max(range, 0.25 * (frame.status.histogram->high - frame.status.histogram->low));
  const double step = range / (400.0 * frame.unit);
  const double level = 0.5 * (d.low + d.high) + step * pointer.moved.y;
  const double width = std::max(d.high - d.low + step * pointer.moved.x, 1e-3 * range);
  d.low = level - 0.5 * width;
  d.high = level + 0.5 * width;
  frame.edited("window");
}

bool pan_and_zoom(Frame& frame, const PointerInput& pointer, const PlaneMap& map, SlicePlace* own) {
  LayoutState& layout = frame.next.layout;
  Vec3& pan = own ? own->pan : layout.slice_pan;
  double& magnification = own ? own->zoom : layout.slice_zoom;
  const bool drags = pointer.button == 2 || (pointer.button == 0 && pointer.shift);
  if (drags && (pointer.moved.x != 0 || pointer.moved.y != 0)) {
    pan += map.plane.pixel * (static_cast<double>(pointer.moved.y) * map.plane.up -
                              static_cast<double>(pointer.moved.x) * map.plane.right);
    frame.edited("pan");
  }
  if (pointer.wheel == 0 || !pointer.ctrl) return drags;
  // Also during a drag: two fingers in a browser do both.
  const double factor = std::pow(1.15, pointer.wheel);
  const double zoom = std::clamp(magnification * factor, 0.2, 200.0);
  const Vec3 under = map.point(pointer.at) - map.plane.center;  // this point stays at its place
  pan += (1 - magnification / zoom) * under;
  magnification = zoom;
  frame.edited("zoom");
  return true;
}

bool choose_window(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  if (pointer.button != 0 || !pointer.ctrl || !frame.has_volume()) return false;
  const ImVec2 a{map.rect.min.x + pointer.start.x, map.rect.min.y + pointer.start.y}, b = ImGui::GetIO().MousePos;
  ImGui::GetWindowDrawList()->AddRect({std::min(a.x, b.x), std::min(a.y, b.y)},
                                      {std::max(a.x, b.x), std::max(a.y, b.y)}, palette().first_label, 0, 0,
                                      1.5f * frame.unit);
  if (!pointer.released || std::abs(a.x - b.x) < 4 || std::abs(a.y - b.y) < 4) return true;
  const auto values = values_within(frame, map, pointer.start, pointer.at);
  if (values.empty()) return true;
  const Window window = percentile_window(values, 1, 99);
  frame.next.display.low = window.low;
  frame.next.display.high = window.high;
  frame.edited("window of a region");
  return true;
}

bool move_measured_point(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  auto& held = frame.pending.held;
  auto& measurements = frame.next.measurements;
  if (pointer.pressed) held.reset();
  if (held && pointer.button == 0 && held->first < measurements.size()) {
    if (pointer.moved.x != 0 || pointer.moved.y != 0) {
      measurements[held->first].points[held->second] = measured_point(frame, pointer, map);
      frame.edited("measurement");
    }
    if (pointer.released) held.reset();
    return true;
  }
  if (!pointer.hovered || measurement_kind(frame.next.layout.tool) || pointer.shift || pointer.ctrl) return false;
  const auto near = point_near(frame, map, pointer.at);
  if (!near) return false;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!pointer.pressed || pointer.button != 0) return false;
  held = near;
  return true;
}

bool use_tools(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  const auto kind = chosen_kind(frame);
  if (!kind || pointer.button != 0 || pointer.shift || pointer.ctrl) return false;
  const bool second = pointer.released && !clicked(frame, pointer) && !frame.pending.points.empty();
  if (pointer.pressed || second) add_point(frame, *kind, measured_point(frame, pointer, map));
  return true;
}

bool paint_segment(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  const std::string& tool = frame.next.layout.tool;
  if (tool != "paint" && tool != "erase") return false;
  SegmentState& segment = frame.next.segment;
  if (pointer.hovered) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    ImGui::GetWindowDrawList()->AddCircle(at, static_cast<float>(segment.brush / map.plane.pixel), palette().tool, 0,
                                          1.5f * frame.unit);
    if (pointer.wheel != 0 && pointer.ctrl) {  // the brush grows
      segment.brush = std::clamp(segment.brush * std::pow(1.15, pointer.wheel), 1e-6, 1e6);
      frame.edited("brush");
      return true;
    }
  }
  if (pointer.button != 0 || pointer.shift || pointer.ctrl) return false;
  if (pointer.released) return true;
  const Vec3 at = map.point(pointer.at);
  const bool goes_on = !pointer.pressed && !segment.balls.empty();
  const Vec3 from = goes_on ? segment.balls.back().center : at;
  const double apart = segment.brush / 3, length = glm::length(at - from);
  if (goes_on && length < apart) return true;
  constexpr std::int64_t most = 1000;
  const auto steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(length / apart), 1, most);
  for (std::int64_t i = 1; i <= steps; ++i)  // the pointer may have gone far since the last frame
    segment.balls.push_back(
        {glm::mix(from, at, static_cast<double>(i) / static_cast<double>(steps)), segment.brush, tool == "paint"});
  segment.shown = true;
  frame.edited(tool);
  return true;
}

bool drag_box(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  if (frame.next.layout.tool != "box" || pointer.shift || pointer.ctrl) return false;
  static std::array<int, 2> held{};  // the side that is dragged along either axis: -1 lower, 1 upper, 0 none
  DisplayState& d = frame.next.display;
  const std::array<int, 2> axes{axis_of(map.plane.right), axis_of(map.plane.up)};
  if (pointer.button != 0) return false;
  if (pointer.pressed) {
    const Vec3 at = map.point(pointer.start);
    const double reach = 7 * frame.unit * map.plane.pixel;
    for (std::size_t i = 0; i < 2; ++i) {
      const int a = axes[i];
      held[i] = !d.crop                                    ? 0
                : std::abs(at[a] - d.crop_low[a]) < reach  ? -1
                : std::abs(at[a] - d.crop_high[a]) < reach ? 1
                                                           : 0;
    }
    return true;
  }
  if (pointer.moved.x == 0 && pointer.moved.y == 0) return true;
  const VolumeGrid grid = frame.grid();
  const Vec3 from = map.point(pointer.start), to = glm::clamp(map.point(pointer.at), grid.lower(), grid.upper());
  if (!d.crop) {
    d.crop_low = grid.lower();
    d.crop_high = grid.upper();
  }
  const bool anew = held[0] == 0 && held[1] == 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const int a = axes[i];
    if (anew) {
      const double start = std::clamp(from[a], grid.lower()[a], grid.upper()[a]);
      d.crop_low[a] = std::min(start, to[a]);
      d.crop_high[a] = std::max(start, to[a]);
    } else if (held[i] < 0) {
      d.crop_low[a] = std::min(to[a], d.crop_high[a]);
    } else if (held[i] > 0) {
      d.crop_high[a] = std::max(to[a], d.crop_low[a]);
    }
  }
  d.crop = true;
  frame.edited("crop");
  return true;
}

bool move_pinned(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  if (frame.next.layout.tool != "move A" || !frame.status.pinned || pointer.button != 0 || pointer.shift) return false;
  if (pointer.moved.x == 0 && pointer.moved.y == 0) return true;
  PinnedState& p = frame.next.pinned;
  if (pointer.ctrl) {
    const RigidMotion motion = motion_of(p, frame.status.pinned->grid);
    const ImVec2 middle = map.screen(motion.apply(motion.pivot)), at = ImGui::GetIO().MousePos;
    const auto angle = [&](float x, float y) { return std::atan2(middle.y - y, x - middle.x); };
    const double turned =
        std::remainder(angle(at.x, at.y) - angle(at.x - pointer.moved.x, at.y - pointer.moved.y), 2 * pi);
    p.turn = motion.turned(map.plane.normal(), turned / radians_per_degree).angles;
  } else {
    p.move += map.plane.pixel * (static_cast<double>(pointer.moved.x) * map.plane.right -
                                 static_cast<double>(pointer.moved.y) * map.plane.up);
  }
  frame.edited("move A");
  return true;
}

void draw_crop_box(Frame& frame, const PlaneMap& map) {
  const DisplayState& d = frame.next.display;
  if (!d.crop) return;
  const ImVec2 a = map.screen(d.crop_low), b = map.screen(d.crop_high);
  const ImVec2 low{std::min(a.x, b.x), std::min(a.y, b.y)}, high{std::max(a.x, b.x), std::max(a.y, b.y)};
  const bool held = frame.next.layout.tool == "box";
  ImGui::GetWindowDrawList()->AddRect(low, high, palette().tool, 0, 0, (held ? 2.0f : 1.0f) * frame.unit);
}

void draw_pixel_grid(Frame& frame, const PlaneMap& map) {
  if (!frame.next.layout.pixel_grid) return;
  const VolumeGrid grid = frame.grid();
  const CutPlane& plane = map.plane;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = (palette().label & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 90);
  const double half = 0.5 * plane.pixel * std::hypot(map.rect.size.x, map.rect.size.y);  // mm, to the pane's corners
  int lines = 0;
  for (int a = 0; a < 3; ++a) {
    // Planes between voxels cut the slice in lines along `on`, one every `apart` mm along `across`.
    const double steep = std::hypot(plane.right[a], plane.up[a]);
    if (steep < 1e-6) continue;
    const Vec3 across = (plane.right[a] * plane.right + plane.up[a] * plane.up) / steep;
    const Vec3 on = (plane.right[a] * plane.up - plane.up[a] * plane.right) / steep;
    const double apart = grid.spacing[a] / steep;
    if (apart < 8 * frame.unit * plane.pixel) continue;
    const double first = (grid.lower()[a] - plane.center[a]) / steep;
    const auto from = std::max<std::int64_t>(0, std::llround(std::ceil((-half - first) / apart)));
    const auto to =
        std::min(grid.size[static_cast<std::size_t>(a)], static_cast<std::int64_t>(std::floor((half - first) / apart)));
    for (std::int64_t i = from; i <= to; ++i) {
      const Vec3 middle = plane.center + (first + static_cast<double>(i) * apart) * across;
      const auto ends = within(grid, middle, on);
      if (!ends) continue;
      list.AddLine(map.screen(middle + ends->first * on), map.screen(middle + ends->second * on), color, frame.unit);
      ++lines;
    }
  }
  note_text("pixel grid", std::to_string(lines));
}

bool enlarge(Frame& frame, const PointerInput& pointer, const std::string& pane) {
  if (!pointer.double_clicked || frame.next.layout.tool != "crosshair") return false;
  std::string& large = frame.next.layout.large;
  large = large == pane ? "" : pane;
  frame.edited("layout");
  return true;
}

void draw_measurements(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  const auto screen = [&](const Vec3& p) { return map.screen(p); };
  Captions captions;
  for (std::size_t i = 0; i < frame.next.measurements.size(); ++i) {
    const Measurement& m = frame.next.measurements[i];
    if (shows(frame, map, m)) draw_measurement(m, screen, caption(frame, i, m), frame.unit, captions);
  }
  const auto kind = measurement_kind(frame.pending.tool);
  if (!kind || frame.pending.points.empty() || !pointer.hovered) return;
  Measurement m{*kind, frame.pending.points};
  if (!shows(frame, map, m)) return;
  m.points.push_back(measured_point(frame, pointer, map));
  draw_measurement(m, screen, m.points.size() == point_count(*kind) ? short_result(frame, m) : "", frame.unit,
                   captions);
}

}  // namespace backlit::viewer

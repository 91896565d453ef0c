#include "views/orthogonal_pane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr std::array names{"Sagittal", "Coronal", "Axial"};
constexpr std::array letters{'x', 'y', 'z'};

}  // namespace

CutPlane OrthogonalPane::plane(const Frame& frame, const Rect& rect) const {
  const int a = static_cast<int>(axis_);
  const VolumeGrid grid = frame.grid();
  CutPlane p;
  p.right = axis_ == Axis::x ? Vec3(0, 1, 0) : Vec3(1, 0, 0);
  p.up = axis_ == Axis::z ? Vec3(0, 1, 0) : Vec3(0, 0, 1);
  p.center = grid.center + frame.next.layout.slice_pan;
  p.center[a] = frame.next.crosshair[a];
  p.pixel = fitting_pixel(grid, rect.size) / frame.next.layout.slice_zoom;
  p.width = std::max<std::int64_t>(1, static_cast<std::int64_t>(rect.size.x));
  p.height = std::max<std::int64_t>(1, static_cast<std::int64_t>(rect.size.y));
  return p;
}

void OrthogonalPane::draw(Frame& frame, const Rect& asked) {
  const Rect rect{{std::floor(asked.min.x), std::floor(asked.min.y)},
                  {std::floor(asked.size.x), std::floor(asked.size.y)}};
  const int a = static_cast<int>(axis_);
  const Hands hands = pane(names[static_cast<std::size_t>(a)], rect);
  if (rect.size.x < 1 || rect.size.y < 1) return;
  const ImU32 color = palette().axis[static_cast<std::size_t>(a)];
  if (frame.grid().voxels() < 1) return pane_title(rect, names[static_cast<std::size_t>(a)], color, "");
  const PlaneMap map{plane(frame, rect), rect};
  if (frame.has_volume()) {
    textures_.update(frame, slicer_, map.plane);
    draw_texture(rect, textures_.shown());
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(rect.min, rect.max(), true);
  take_hands(frame, hands, map);
  if (frame.next.layout.show_crosshair) draw_crosshair(frame, map);
  draw_measurements(frame, hands, map);
  if (frame.next.layout.show_scale_bar) scale_bar(rect, map.plane.pixel);
  list.PopClipRect();
  pane_title(rect, names[static_cast<std::size_t>(a)], color,
             fmt::format("{} = {:.2f} mm", letters[static_cast<std::size_t>(a)], frame.next.crosshair[a]));
}

void OrthogonalPane::take_hands(Frame& frame, const Hands& hands, const PlaneMap& map) const {
  if (hands.hovered) frame.probe(map.point(hands.at));
  drag_window(frame, hands);
  if (pan_and_zoom(frame, hands, map) || choose_window(frame, hands, map) || use_tools(frame, hands, map)) return;
  const VolumeGrid grid = frame.grid();
  const int a = static_cast<int>(axis_);
  Vec3& cross = frame.next.crosshair;
  if (hands.button == 0 && !hands.released) {
    const Vec3 to = glm::clamp(map.point(hands.at), grid.lower(), grid.upper());
    for (int i = 0; i < 3; ++i)
      if (i != a) cross[i] = to[i];
    frame.edited("crosshair");
  }
  if (hands.wheel != 0) {
    const Vec3 first = grid.first_voxel(),
               last = first + grid.spacing * Vec3(grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1);
    const double stride = hands.shift ? 10 : 1;
    cross[a] = std::clamp(cross[a] + stride * hands.wheel * grid.spacing[a], first[a], last[a]);
    frame.edited("crosshair");
  }
}

void OrthogonalPane::draw_crosshair(const Frame& frame, const PlaneMap& map) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 c = map.screen(frame.next.crosshair);
  const Rect& r = map.rect;
  // A line in the colour of the slice that it stands for, with a gap where one looks.
  const std::size_t across = axis_ == Axis::x ? 1 : 0, up = axis_ == Axis::z ? 1 : 2;
  const auto faded = [](ImU32 color) { return (color & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 150); };
  const float gap = 9 * frame.unit;
  list.AddLine({c.x, r.min.y}, {c.x, c.y - gap}, faded(palette().axis[across]), frame.unit);
  list.AddLine({c.x, c.y + gap}, {c.x, r.max().y}, faded(palette().axis[across]), frame.unit);
  list.AddLine({r.min.x, c.y}, {c.x - gap, c.y}, faded(palette().axis[up]), frame.unit);
  list.AddLine({c.x + gap, c.y}, {r.max().x, c.y}, faded(palette().axis[up]), frame.unit);
}

}  // namespace backlit::viewer

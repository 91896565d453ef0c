#include "views/panes/clip_box.hpp"

#include <array>
#include <cmath>

#include "views/scan_drawing.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr std::array handles{"-x", "+x", "-y", "+y", "-z", "+z", "middle"};

VolumeGrid as_grid(const DisplayState& d) {
  return {{1, 1, 1}, d.crop_high - d.crop_low, 0.5 * (d.crop_low + d.crop_high)};
}

}  // namespace

bool ClipBox::take_pointer(Frame& frame, const PointerInput& pointer, const CameraRays& rays) {
  DisplayState& d = frame.next.display;
  near_ = -1;
  if (!d.crop || frame.next.layout.tool != "box") {
    held_ = -1;
    return false;
  }
  double nearest = 10 * frame.unit;
  for (int i = 0; i < clip_handles; ++i) {
    const Vec3 p = project(rays, clip_handle(d, i));
    const double away = std::hypot(p.x - pointer.at.x, p.y - pointer.at.y);
    if (away >= nearest) continue;
    nearest = away;
    near_ = i;
  }
  if (pointer.pressed) held_ = pointer.button == 0 && !pointer.shift ? near_ : -1;
  if (pointer.hovered && (near_ >= 0 || held_ >= 0)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (held_ < 0 || pointer.button != 0) return false;
  if (pointer.moved.x != 0 || pointer.moved.y != 0) {
    drag_clip_handle(d, held_, rays, frame.grid(), pointer.at.x, pointer.at.y);
    frame.edited("crop");
  }
  if (pointer.released) held_ = -1;
  return true;
}

void ClipBox::draw(const Frame& frame, const Rect& rect, const CameraRays& rays) const {
  const DisplayState& d = frame.next.display;
  if (!d.crop) return;
  const bool editable = frame.next.layout.tool == "box";
  draw_box(rect, rays, as_grid(d), palette().tool, (editable ? 1.5f : 1.0f) * frame.unit);
  if (!editable) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (int i = 0; i < clip_handles; ++i) {
    const Vec3 p = project(rays, clip_handle(d, i));
    if (!rays.endless && p.z <= 1e-6) continue;
    const ImVec2 at{rect.min.x + static_cast<float>(p.x) + 0.5f, rect.min.y + static_cast<float>(p.y) + 0.5f};
    const bool lit = i == held_ || (held_ < 0 && i == near_);
    const float radius = (lit ? 6.5f : 5.0f) * frame.unit;
    list.AddCircleFilled(at, radius + 1.5f, IM_COL32(0, 0, 0, 200));
    list.AddCircleFilled(at, radius, lit ? IM_COL32_WHITE : i == clip_middle ? palette().tool : palette().axis[i / 2u]);
    const float reach = 10 * frame.unit;
    note_item(std::string("clip handle ") + handles[static_cast<std::size_t>(i)], {at.x - reach, at.y - reach},
              {at.x + reach, at.y + reach});
  }
}

}  // namespace backlit::viewer

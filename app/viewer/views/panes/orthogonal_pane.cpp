#include "views/panes/orthogonal_pane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "views/panes/live_slices.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr std::array names{"Sagittal", "Coronal", "Axial"};
constexpr std::array panes{"sagittal", "coronal", "axial"};
constexpr std::array letters{'x', 'y', 'z'};

bool is_patient(const Frame& frame) { return frame.status.source && frame.status.source->patient; }

/// Where the patient's sides lie: left, right, front, back, head, feet.
void draw_sides(const PlaneMap& map, const std::string& pane) {
  const auto letter = [](const Vec3& direction) {
    constexpr const char* sides[] = {"R", "L", "A", "P", "I", "S"};
    std::size_t a = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(direction[static_cast<int>(i)]) > std::abs(direction[static_cast<int>(a)])) a = i;
    return sides[2 * a + (direction[static_cast<int>(a)] > 0 ? 1 : 0)];
  };
  const Rect& r = map.rect;
  const float em = ImGui::GetFontSize(), middle = r.min.y + 0.5f * (r.size.y - em);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  label(list, {r.min.x + 0.5f * em, middle}, letter(-map.plane.right), palette().label);
  label(list, {r.max().x - 0.5f * em, middle}, letter(map.plane.right), palette().label, 1);
  label(list, {r.min.x + 0.5f * r.size.x, r.min.y + 0.4f * em}, letter(map.plane.up), palette().label, 0.5f);
  label(list, {r.min.x + 0.5f * r.size.x, r.max().y - 1.4f * em}, letter(-map.plane.up), palette().label, 0.5f);
  note_text(pane + " sides", std::string(letter(-map.plane.right)) + letter(map.plane.up));
}

std::string slab_text(const Frame& frame) {
  const LayoutState& layout = frame.next.layout;
  if (layout.slab <= 0) return "";
  return fmt::format("  {} of {:.4g} {}", layout.slab_mode, layout.slab, frame.length_unit());
}

}  // namespace

CutPlane OrthogonalPane::plane(const Frame& frame, const Rect& rect) const {
  const int a = static_cast<int>(axis_);
  const VolumeGrid grid = frame.grid();
  CutPlane p;
  p.right = axis_ == Axis::x ? Vec3(0, 1, 0) : Vec3(1, 0, 0);
  p.up = axis_ == Axis::z ? Vec3(0, is_patient(frame) ? -1 : 1, 0) : Vec3(0, 0, 1);  // patients: the front is above
  const LayoutState& layout = frame.next.layout;
  const SlicePlace own = layout.linked_zoom ? SlicePlace{} : layout.own[static_cast<std::size_t>(a)];
  p.center = grid.center + layout.slice_pan + own.pan;
  p.center[a] = frame.next.crosshair[a];
  p.pixel = fitting_pixel(grid, rect.size) / (layout.slice_zoom * own.zoom);
  p.width = std::max<std::int64_t>(1, static_cast<std::int64_t>(rect.size.x));
  p.height = std::max<std::int64_t>(1, static_cast<std::int64_t>(rect.size.y));
  return p;
}

void OrthogonalPane::draw(Frame& frame, const Rect& asked) {
  const Rect rect{{std::floor(asked.min.x), std::floor(asked.min.y)},
                  {std::floor(asked.size.x), std::floor(asked.size.y)}};
  if (frame.model.compared_by() != "side") return draw_part(frame, rect, Volume::both);
  const float gap = 2 * frame.unit;
  draw_part(frame, rect.column(0, 2, gap), Volume::pinned);
  draw_part(frame, rect.column(1, 2, gap), Volume::shown);
}

void OrthogonalPane::draw_part(Frame& frame, const Rect& part, Volume volume) {
  const Rect rect{{std::floor(part.min.x), std::floor(part.min.y)}, {std::floor(part.size.x), std::floor(part.size.y)}};
  const auto a = static_cast<std::size_t>(axis_);
  const PointerInput pointer = pane((volume == Volume::pinned ? std::string(names[a]) + " A" : names[a]).c_str(), rect);
  if (rect.size.x < 1 || rect.size.y < 1) return;
  const ImU32 color = palette().axis[a];
  if (frame.grid().voxels() < 1) return pane_title(rect, names[a], color, "");
  const PlaneMap map{plane(frame, rect), rect};
  const std::string detail = draw_picture(frame, map, volume);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(rect.min, rect.max(), true);
  take_pointer(frame, pointer, map);
  draw_pixel_grid(frame, map);
  if (frame.next.layout.show_crosshair) draw_crosshair(frame, map);
  draw_measurements(frame, pointer, map);
  draw_crop_box(frame, map);
  if (is_patient(frame)) draw_sides(map, names[a]);
  if (frame.next.layout.show_scale_bar) scale_bar(rect, map.plane.pixel, frame.length_unit());
  list.PopClipRect();
  pane_title(rect, names[a], color,
             fmt::format("{} = {} {}{}{}", letters[a],
                         Frame::place_text(frame.next.crosshair[static_cast<int>(a)], frame.grid()),
                         frame.length_unit(), slab_text(frame), detail));
}

std::string OrthogonalPane::draw_picture(Frame& frame, const PlaneMap& map, Volume volume) {
  const Rect& rect = map.rect;
  const std::string& mode = frame.model.compared_by();
  const bool two = mode != "off";
  if (two) pinned_.update_pinned(frame, slicer_, map.plane);
  if (volume == Volume::pinned) {
    draw_texture(rect, pinned_.shown());
    return "  A";
  }
  const gl::Texture* const live = frame.live.of(frame, axis_, map.plane);
  if (!live && !frame.has_volume()) return "";
  if (!live || two) textures_.update(frame, slicer_, map.plane);
  if (mode == "difference") {
    draw_difference(frame, map);
    return "  B - A";
  }
  const bool turn = frame.shows_a();
  draw_texture(rect, turn ? pinned_.shown() : live ? *live : textures_.shown());
  if (mode == "wipe") {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = rect.min.x + static_cast<float>(frame.next.layout.wipe) * rect.size.x;
    list.PushClipRect(rect.min, {x, rect.max().y}, true);
    draw_texture(rect, pinned_.shown());
    list.PopClipRect();
    line(list, {x, rect.min.y}, {x, rect.max().y}, palette().label, 1.5f * frame.unit);
  }
  if (mode == "overlay") draw_texture(rect, pinned_.shown(), false, frame.next.pinned.opacity);
  const std::string which = mode == "overlay" ? "  A over B"
                            : mode == "wipe"  ? "  A | B"
                            : turn            ? "  A"
                            : two             ? "  B"
                                              : "";
  return which + (live ? "  from the projections" : frame.state_of_volume());
}

/// Differences are shown over a quarter of the window.
void OrthogonalPane::draw_difference(Frame& frame, const PlaneMap& map) {
  const CutPlane& plane = map.plane;
  fit(subtracted_, "difference of slices", GL_R32F, plane.width, plane.height);
  fit(difference_shown_, "difference in colours", GL_RGBA8, plane.width, plane.height);
  frame.painter.subtract(pinned_.values(), textures_.values(), subtracted_);
  const double most = 0.25 * (frame.next.display.high - frame.next.display.low);
  frame.painter.color(subtracted_, plane, frame.front.grid, {-most, most}, "difference", difference_shown_);
  draw_texture(map.rect, difference_shown_);
}

bool OrthogonalPane::move_wipe(Frame& frame, const PointerInput& pointer, const Rect& rect) {
  if (frame.model.compared_by() != "wipe") return false;
  double& wipe = frame.next.layout.wipe;
  const float x = static_cast<float>(wipe) * rect.size.x;
  const auto near = [&](ImVec2 at) { return std::abs(at.x - x) < 7 * frame.unit; };
  if (pointer.hovered && near(pointer.at)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (pointer.pressed) holds_wipe_ = pointer.button == 0 && near(pointer.start);
  if (!holds_wipe_ || pointer.button != 0) return false;
  if (pointer.moved.x != 0) {
    wipe = std::clamp(static_cast<double>(pointer.at.x / rect.size.x), 0.0, 1.0);
    frame.edited("wipe");
  }
  return true;
}

void OrthogonalPane::take_pointer(Frame& frame, const PointerInput& pointer, const PlaneMap& map) {
  if (pointer.hovered) frame.probe(map.point(pointer.at));
  drag_window(frame, pointer);
  if (enlarge(frame, pointer, panes[static_cast<std::size_t>(axis_)]) || move_wipe(frame, pointer, map.rect)) return;
  LayoutState& layout = frame.next.layout;
  SlicePlace* const own = layout.linked_zoom ? nullptr : &layout.own[static_cast<std::size_t>(axis_)];
  if (paint_segment(frame, pointer, map) || pan_and_zoom(frame, pointer, map, own) ||
      move_pinned(frame, pointer, map) || choose_window(frame, pointer, map) || drag_box(frame, pointer, map) ||
      move_measured_point(frame, pointer, map) || use_tools(frame, pointer, map))
    return;
  const VolumeGrid grid = frame.grid();
  const int a = static_cast<int>(axis_);
  Vec3& cross = frame.next.crosshair;
  if (pointer.button == 0 && !pointer.released) {
    const Vec3 to = glm::clamp(map.point(pointer.at), grid.lower(), grid.upper());
    for (int i = 0; i < 3; ++i)
      if (i != a) cross[i] = to[i];
    frame.edited("crosshair");
  }
  if (pointer.wheel != 0) {
    const Vec3 first = grid.first_voxel(),
               last = first + grid.spacing * Vec3(grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1);
    const double stride = pointer.shift ? 10 : 1;
    cross[a] = std::clamp(cross[a] + stride * pointer.wheel * grid.spacing[a], first[a], last[a]);
    frame.edited("crosshair");
  }
}

void OrthogonalPane::draw_crosshair(const Frame& frame, const PlaneMap& map) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 c = map.screen(frame.next.crosshair);
  const Rect& r = map.rect;
  // Each line has the colour of the slice that it marks, with a gap at the crosshair.
  const std::size_t across = axis_ == Axis::x ? 1 : 0, up = axis_ == Axis::z ? 1 : 2;
  const float gap = 9 * frame.unit;
  const auto draw = [&](ImVec2 from, ImVec2 to, std::size_t axis) {  // dark beside it, for bright and mid grey pictures
    list.AddLine(from, to, IM_COL32(0, 0, 0, 45), 3 * frame.unit);
    list.AddLine(from, to, (palette().axis[axis] & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 175), frame.unit);
  };
  draw({c.x, r.min.y}, {c.x, c.y - gap}, across);
  draw({c.x, c.y + gap}, {c.x, r.max().y}, across);
  draw({r.min.x, c.y}, {c.x - gap, c.y}, up);
  draw({c.x + gap, c.y}, {r.max().x, c.y}, up);
}

}  // namespace backlit::viewer

#include "views/measuring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/length_text.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

std::optional<Measurement::Kind> measurement_kind(const std::string& tool) {
  const auto& names = measurement_names();
  const auto found = std::ranges::find(names, tool);
  if (found == names.end()) return std::nullopt;
  return static_cast<Measurement::Kind>(found - names.begin());
}

std::optional<Measurement::Kind> chosen_kind(Frame& frame) {
  const std::string& tool = frame.next.layout.tool;
  if (frame.pending.tool != tool) frame.pending = {tool, {}};
  return measurement_kind(tool);
}

void add_point(Frame& frame, Measurement::Kind kind, const Vec3& point) {
  auto& points = frame.pending.points;
  points.push_back(point);
  if (points.size() < point_count(kind)) return;
  frame.next.measurements.push_back({kind, std::move(points), kind == Measurement::Kind::note ? "note" : ""});
  points.clear();
  frame.edited(frame.next.layout.tool);
}

bool clicked(const Frame& frame, const PointerInput& pointer) {
  return pointer.released &&
         std::hypot(pointer.at.x - pointer.start.x, pointer.at.y - pointer.start.y) <= 4 * frame.unit;
}

std::string short_result(const Frame& frame, const Measurement& m) {
  const VolumeGrid grid = frame.grid();
  const double voxel = std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  if (m.kind == Measurement::Kind::note) return m.text;
  if (m.kind == Measurement::Kind::angle) return fmt::format("{:.1f}°", measured(m));
  if (m.kind != Measurement::Kind::region) return length_text(measured(m), frame.length_unit(), voxel);
  const Vec3 sides = glm::abs(m.points[0] - m.points[1]);
  std::array<double, 3> s{sides.x, sides.y, sides.z};
  std::ranges::sort(s, std::greater<>());
  return sides_text(s[0], s[1], frame.length_unit(), voxel);
}

std::string caption(const Frame& frame, std::size_t index, const Measurement& m) {
  if (m.kind == Measurement::Kind::note) return m.text;
  return fmt::format("{}: {}{}{}", index + 1, m.text, m.text.empty() ? "" : ", ", short_result(frame, m));
}

void Captions::write(ImDrawList& list, ImVec2 at, const std::string& text) {
  const float em = ImGui::GetFontSize(), width = ImGui::CalcTextSize(text.c_str()).x;
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  at.x = std::max(low.x + 0.4f * em, std::min(at.x, high.x - width - 0.4f * em));
  at = {std::round(at.x), std::round(at.y)};
  const auto covers = [&](const Rect& r) {
    return at.x < r.max().x && at.x + width > r.min.x && at.y < r.max().y && at.y + em > r.min.y;
  };
  while (std::ranges::any_of(taken_, covers)) at.y += std::round(0.5f * em);
  taken_.push_back(plate(list, at, width));
  list.AddText(at, palette().tool, text.c_str());
  note_item(text, at, {at.x + width, at.y + em});
}

void draw_measurement(const Measurement& m, const std::function<ImVec2(const Vec3&)>& screen, const std::string& text,
                      float unit, Captions& captions) {
  if (m.points.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = palette().tool;
  std::vector<ImVec2> at;
  for (const Vec3& p : m.points) at.push_back(screen(p));
  const float width = 1.5f * unit;
  if (m.kind == Measurement::Kind::region && at.size() == 2) {
    list.AddRect(at[0], at[1], IM_COL32(0, 0, 0, 190), 0, 0, width + 2);
    list.AddRect(at[0], at[1], color, 0, 0, width);
  } else {
    for (std::size_t i = 1; i < at.size(); ++i) line(list, at[i - 1], at[i], color, width);
  }
  for (const ImVec2& p : at) {
    list.AddCircleFilled(p, 3.5f * unit, IM_COL32(0, 0, 0, 200));
    list.AddCircleFilled(p, 2.5f * unit, color);
  }
  if (text.empty()) return;
  const ImVec2 anchor = m.kind == Measurement::Kind::angle ? at[at.size() / 2] : at.back();
  captions.write(list, {anchor.x + 9 * unit, anchor.y + 3 * unit}, text);
}

}  // namespace backlit::viewer

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/panels.hpp"
#include "panels/plots/histogram_plot.hpp"
#include "panels/widgets.hpp"
#include "views/look.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

void range_rows(Frame& frame, const Parameters& list) {
  SegmentState& s = frame.next.segment;
  const auto [low, high] = frame.model.segment_range();
  const Histogram* h = frame.status.histogram.get();
  const double most = h ? h->high : 1, speed = h ? (h->high - h->low) / 1000 : 0.001;
  double from = low, to = std::isfinite(high) ? high : most;
  Parameter lower = of(list, "segment_low"), upper = of(list, "segment_high");
  lower.target = &from;
  lower.unit = upper.unit = frame.model.value_unit();
  upper.target = &to;
  const bool changed = parameter_row(lower, speed), changed_too = parameter_row(upper, speed);
  if ((changed || changed_too) && from < to) {
    s.low = from;
    s.high = to;
    frame.edited("segment");
  }
  if (!(s.low < s.high)) return;
  if (ImGui::Button("Automatic range", {-1, 0})) frame.act("segment", {"auto"});
  name_item("Automatic range");
  tooltip("From the value of the automatic isosurface up");
}

void brush_rows(Frame& frame, const Parameters& list) {
  const float width = (ImGui::GetContentRegionAvail().x - 2 * 3) / 3;
  std::string& tool = frame.next.layout.tool;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {3, ImGui::GetStyle().ItemSpacing.y});
  const auto choose = [&](const char* label, const char* name, const char* help) {
    if (!toggle_button(label, tool == name, help, {width, 0})) return;
    tool = tool == name ? "crosshair" : name;
    frame.edited("tool");
  };
  choose("Paint", "paint", "Drag in a slice: balls of the brush are added");
  ImGui::SameLine();
  choose("Erase", "erase", "Drag in a slice: balls of the brush are taken away");
  ImGui::SameLine();
  ImGui::BeginDisabled(frame.next.segment.balls.empty());
  if (ImGui::Button("Clear brush", {width, 0})) frame.act("brush clear");
  ImGui::EndDisabled();
  name_item("Clear brush");
  tooltip("Forget all that was painted and erased");
  ImGui::PopStyleVar();
  edit_row(frame, of(list, "brush"), 0.05);
}

void segment_numbers(Frame& frame) {
  ImGui::BeginDisabled(frame.status.running || !frame.has_volume());
  if (ImGui::Button("Volume and surface", {-1, 0})) frame.act("segment numbers");
  name_item("Volume and surface");
  tooltip("Within the surface at the range's values (marching cubes), and of that surface");
  if (ImGui::Button("Save surface ...", {-1, 0})) frame.act("export surface");
  name_item("Save surface ...");
  tooltip("As .stl or .ply, in mm");
  ImGui::EndDisabled();
  const auto& made = frame.status.segment;
  if (!made || !(made->of == frame.next.segment) || made->found.generation != frame.status.generation) return;
  const char* unit = frame.length_unit();
  fact("volume", fmt::format("{:.6g} {}³", made->found.volume, unit));
  fact("surface", fmt::format("{:.6g} {}²", made->found.surface, unit));
  fact("voxels", grouped(made->found.voxels));
  const double all = static_cast<double>(made->found.voxels + made->found.pores);
  fact("closed pores", all > 0 ? fmt::format("{:.3g} %", 100 * static_cast<double>(made->found.pores) / all) : "none");
  tooltip("Voxels that the segment encloses on all sides, as a share of the segment with them (closed porosity)");
}

/// How much of the segment is how thick; each bar has the colour of its thickness in the map.
void thickness_histogram(Frame& frame, const std::vector<double>& shares, double largest) {
  const Rect rect{ImGui::GetCursorScreenPos(), {ImGui::GetContentRegionAvail().x, 70 * frame.unit}};
  ImGui::Dummy(rect.size);
  name_item("thickness histogram");
  const ValueAxis axis{0, largest, rect};
  const Window window = pinned_window(frame.next, frame.status);
  const Colormap& map = colormap(pinned_map(frame.next));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max(), ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame.unit);
  const double most = *std::ranges::max_element(shares), width = largest / static_cast<double>(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double from = width * static_cast<double>(i), value = from + 0.5 * width;
    const Rgb c = map.at(std::clamp((value - window.low) / (window.high - window.low), 0.0, 1.0));
    const float height = static_cast<float>(shares[i] / most) * (rect.size.y - 4 * frame.unit);
    list.AddRectFilled({axis.x(from), rect.max().y - height}, {axis.x(from + width), rect.max().y},
                       IM_COL32(c.r, c.g, c.b, 255));
  }
  ImGui::Dummy({1, draw_value_ticks(frame, axis, frame.length_unit())});
}

void thickness(Frame& frame) {
  ImGui::BeginDisabled(frame.status.running || !frame.has_volume());
  if (ImGui::Button("Wall thickness", {-1, 0})) frame.act("wall thickness");
  name_item("Wall thickness");
  tooltip("At each point the diameter of the largest ball that fits; the map is shown as A over the volume");
  ImGui::EndDisabled();
  const auto& found = frame.status.thickness;
  const auto& a = frame.status.pinned;
  if (!found || found->generation != frame.status.generation || !a || !a->computed) return;
  const char* unit = frame.length_unit();
  fact("mean thickness", fmt::format("{:.4g} ± {:.2g} {}", found->mean, found->deviation, unit));
  fact("largest", fmt::format("{:.4g} {}", found->largest, unit));
  thickness_histogram(frame, found->shares, found->largest);
}

}  // namespace

void segment_panel(Frame& frame) {
  if (!section("Segment", true)) return;
  Parameters list;
  for (StateSection& s : describe(frame.next))
    if (s.name == "segment") list = std::move(s.parameters);
  edit_row(frame, of(list, "segment"));
  if (!frame.next.segment.shown) return;
  range_rows(frame, list);
  brush_rows(frame, list);
  segment_numbers(frame);
  thickness(frame);
}

}  // namespace backlit::viewer

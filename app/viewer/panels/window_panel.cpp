#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <backlit/data/hounsfield.hpp>
#include "panels/panels.hpp"
#include "panels/plots/histogram_plot.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

struct Preset {
  const char* name;
  const char* low;
  const char* high;
};
constexpr std::array percentiles{Preset{"0.1-99.9 %", "0.1%", "99.9%"}, Preset{"1-99 %", "1%", "99%"},
                                 Preset{"all", "0%", "100%"}};

/// Common CT windows: centre and width in HU.
struct Usual {
  const char* name;
  double center, width;
};
constexpr std::array in_hu{Usual{"soft tissue", 40, 400}, Usual{"brain", 40, 80}, Usual{"bone", 500, 2000},
                           Usual{"lung", -600, 1500}};

enum class Grip { none, low, high, both };

/// The window over the histogram: two handles; the part between them can be dragged as a whole.
void window_on_histogram(Frame& frame) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect rect{at, {ImGui::GetContentRegionAvail().x, 92 * frame.unit}};
  ImGui::InvisibleButton("histogram", rect.size);
  name_item("histogram");
  DisplayState& d = frame.next.display;
  const ValueAxis axis = value_axis(frame, rect);
  static ValueAxis held;  // keeps the axis fixed while a handle is dragged
  static Grip grip = Grip::none;
  const float x = ImGui::GetIO().MousePos.x, reach = 7 * frame.unit;
  const auto grip_at = [&] {
    if (std::abs(x - axis.x(d.low)) < reach) return Grip::low;
    if (std::abs(x - axis.x(d.high)) < reach) return Grip::high;
    return x > axis.x(d.low) && x < axis.x(d.high) ? Grip::both : Grip::none;
  };
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && (grip_at() == Grip::low || grip_at() == Grip::high))
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemActivated()) {
    grip = grip_at();
    held = axis;
  }
  const bool dragging = ImGui::IsItemActive() && grip != Grip::none;
  if (dragging && ImGui::GetIO().MouseDelta.x != 0) {
    const double moved = held.value(x) - held.value(x - ImGui::GetIO().MouseDelta.x);
    const double least = 1e-4 * (held.high - held.low);
    if (grip != Grip::high) d.low = grip == Grip::low ? std::min(d.low + moved, d.high - least) : d.low + moved;
    if (grip != Grip::low) d.high = grip == Grip::high ? std::max(d.high + moved, d.low + least) : d.high + moved;
    frame.edited("window");
  }
  const ValueAxis& shown = dragging ? held : axis;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max(), ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame.unit);
  const ImU32 accent = palette().accent;
  list.PushClipRect(rect.min, rect.max(), true);
  list.AddRectFilled({shown.x(d.low), rect.min.y}, {shown.x(d.high), rect.max().y},
                     (accent & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 38));
  draw_histogram(frame, {shown.low, shown.high, rect}, (palette().faint & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 200));
  list.AddLine({shown.x(d.low), rect.max().y}, {shown.x(d.high), rect.min.y}, accent, 1.5f * frame.unit);
  for (const double v : {d.low, d.high})
    list.AddLine({shown.x(v), rect.min.y}, {shown.x(v), rect.max().y}, accent, 2 * frame.unit);
  list.PopClipRect();
  ImGui::Dummy({1, draw_value_ticks(frame, {shown.low, shown.high, rect}, frame.model.value_unit())});
}

/// Draws a strip of a colour map.
void map_strip(const std::string& name, ImVec2 low, ImVec2 high) {
  const Colormap& map = colormap(name);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  constexpr int parts = 32;
  const auto color = [&](int i) {
    const Rgb c = map.at(static_cast<double>(i) / parts);
    return IM_COL32(c.r, c.g, c.b, 255);
  };
  for (int i = 0; i < parts; ++i) {
    const float a = low.x + (high.x - low.x) * static_cast<float>(i) / parts;
    const float b = low.x + (high.x - low.x) * static_cast<float>(i + 1) / parts;
    list.AddRectFilledMultiColor({a, low.y}, {b, high.y}, color(i), color(i + 1), color(i + 1), color(i));
  }
}

void choose_map(Frame& frame) {
  std::string& map = frame.next.display.map;
  row("colours", "colour map of slices, and of 3-D views that show values");
  const float height = ImGui::GetFontSize();
  if (ImGui::BeginCombo("##map", map.c_str())) {
    for (const std::string& name : colormap_names()) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool chosen = ImGui::Selectable(("##" + name).c_str(), name == map);
      name_item(name);
      map_strip(name, {at.x, at.y + 1}, {at.x + 5 * height, at.y + height});
      ImGui::GetWindowDrawList()->AddText({at.x + 5.6f * height, at.y}, ImGui::GetColorU32(ImGuiCol_Text),
                                          name.c_str());
      if (!chosen || name == map) continue;
      map = name;
      frame.edited("map");
    }
    ImGui::EndCombo();
  }
  name_item("map");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  map_strip(map, at, {at.x + ImGui::GetContentRegionAvail().x, at.y + 7 * frame.unit});
  ImGui::Dummy({1, 7 * frame.unit});
}

void choose_preset(Frame& frame) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  ImGui::BeginDisabled(!frame.status.histogram);
  for (std::size_t i = 0; i < percentiles.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    if (ImGui::Button(percentiles[i].name, {width, 0})) frame.act("window", {percentiles[i].low, percentiles[i].high});
    name_item(percentiles[i].name);
    tooltip("window between these percentiles of the volume");
  }
  ImGui::EndDisabled();
  if (!frame.model.knows_hu()) return;
  row("preset", "Windows of radiology, for values in 1/mm; needs the value of water below");
  const bool open = ImGui::BeginCombo("##preset", "HU presets ...");
  name_item("preset");
  if (!open) return;
  const LinearScale hu = hounsfield_scale(frame.next.display.water, frame.next.display.air);
  for (const Usual& p : in_hu) {
    const double low = hu.value(p.center - 0.5 * p.width), high = hu.value(p.center + 0.5 * p.width);
    if (ImGui::Selectable(fmt::format("{}  ({:g} ± {:g})", p.name, p.center, 0.5 * p.width).c_str()))
      frame.act("window", {fmt::format("{}", low), fmt::format("{}", high)});
    name_item(p.name);
  }
  ImGui::EndCombo();
}

}  // namespace

void window_panel(Frame& frame) {
  if (!section("Window")) return;
  window_on_histogram(frame);
  DisplayState& d = frame.next.display;
  const double range =
      frame.status.histogram ? frame.status.histogram->high - frame.status.histogram->low : d.high - d.low;
  const double speed = std::max(1e-9, range / 2000);
  Parameters list;
  for (StateSection& s : describe(frame.next))
    if (s.name == "display") list = std::move(s.parameters);
  const double low = d.low, high = d.high;
  value_row(frame, of(list, "low"), speed);
  value_row(frame, of(list, "high"), speed);
  if (d.low >= d.high) (d.low != low ? d.low : d.high) = d.low != low ? high - speed : low + speed;
  choose_preset(frame);
  choose_map(frame);
  if (!frame.model.knows_hu()) return;
  const double water = d.water, air = d.air;
  edit_row(frame, of(list, "water"), 1e-5);
  edit_row(frame, of(list, "air"), 1e-5);
  if (d.air >= d.water) d.water = water, d.air = air;
}

}  // namespace backlit::viewer

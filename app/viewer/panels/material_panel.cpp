#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "model/values/materials.hpp"
#include "panels/panels.hpp"
#include "panels/plots/histogram_plot.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

ImU32 color_of(const Material& m, int alpha) {
  const Rgb c = color_from(m.color, "material");
  return IM_COL32(c.r, c.g, c.b, alpha);
}

/// The ranges of all materials on the histogram, where their ends can be dragged.
void ranges_on_histogram(Frame& frame) {
  static std::size_t held = 0;
  auto& materials = frame.next.materials;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ValueAxis axis = value_axis(frame, {at, {ImGui::GetContentRegionAvail().x, 90 * frame.unit}});
  const Rect& r = axis.rect;
  ImGui::InvisibleButton("material ranges", r.size);
  name_item("material ranges");
  tooltip("Drag the ends of a material; where two touch, both move");
  const float x = ImGui::GetIO().MousePos.x;
  const auto end = [&](std::size_t i) { return i % 2 ? materials[i / 2].high : materials[i / 2].low; };
  std::size_t near = 0;
  for (std::size_t i = 1; i < 2 * materials.size(); ++i)
    if (std::abs(axis.x(end(i)) - x) < std::abs(axis.x(end(near)) - x)) near = i;
  const bool within = std::abs(axis.x(end(near)) - x) < 8 * frame.unit;
  if (ImGui::IsItemHovered() && within) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemActivated()) held = within ? near : 2 * materials.size();
  if (ImGui::IsItemActive() && held < 2 * materials.size() && ImGui::GetIO().MouseDelta.x != 0) {
    move_material_end(materials, held, axis.value(x), axis.value(r.min.x + 1) - axis.value(r.min.x));
    frame.edited("material");
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(r.min, r.max(), ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame.unit);
  list.PushClipRect(r.min, r.max(), true);
  for (const Material& m : materials)
    list.AddRectFilled({axis.x(m.low), r.min.y}, {axis.x(m.high), r.max().y}, color_of(m, 90));
  draw_histogram(frame, axis, palette().faint);
  for (const Material& m : materials)
    for (const double value : {m.low, m.high})
      list.AddLine({axis.x(value), r.min.y}, {axis.x(value), r.max().y}, color_of(m, 255), 2 * frame.unit);
  list.PopClipRect();
  ImGui::Dummy({1, draw_value_ticks(frame, axis, frame.model.value_unit())});
}

void material_rows(Frame& frame) {
  auto& materials = frame.next.materials;
  std::size_t gone = materials.size();
  for (std::size_t i = 0; i < materials.size(); ++i) {
    Material& m = materials[i];
    const std::string number = std::to_string(i + 1);
    ImGui::PushID(static_cast<int>(i));
    bool changed = color_button("##color", m.color, "Colour in slices and in 3-D");
    ImGui::SameLine(0, 3);
    const float width = 0.5f * (ImGui::GetContentRegionAvail().x - 2.4f * ImGui::GetFontSize());
    ImGui::SetNextItemWidth(width);
    changed = ImGui::InputText("##name", &m.name) || changed;
    name_item("material " + number);
    tooltip(frame.with_unit(fmt::format("Name; values from {:.4g} to {:.4g}", m.low, m.high)));
    ImGui::SameLine(0, 3);
    ImGui::SetNextItemWidth(width);
    const double clear = 0, opaque = 1;
    changed = ImGui::SliderScalar("##opacity", ImGuiDataType_Double, &m.opacity, &clear, &opaque, "%.2f",
                                  ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic) ||
              changed;
    name_item("material opacity " + number);
    tooltip("Opacity in 3-D; 0 hides the material, in slices too");
    ImGui::SameLine(0, 3);
    if (ImGui::Button("×")) gone = i;
    tooltip("Remove this material");
    ImGui::PopID();
    if (changed) frame.edited("material");
  }
  if (gone == materials.size()) return;
  materials.erase(materials.begin() + static_cast<std::ptrdiff_t>(gone));
  frame.edited("material");
}

void found_rows(Frame& frame) {
  static int classes = 3;
  ImGui::BeginDisabled(!frame.status.histogram);
  const float width = 0.5f * (ImGui::GetContentRegionAvail().x - 3);
  const bool pressed = ImGui::Button("Find", {width, 0});
  name_item("Find materials");
  tooltip("Divides the values into this many classes (Otsu). The first class is the surroundings.");
  ImGui::SameLine(0, 3);
  ImGui::SetNextItemWidth(width);
  ImGui::SliderInt("##classes", &classes, 2, static_cast<int>(most_materials), "%d materials",
                   ImGuiSliderFlags_AlwaysClamp);
  name_item("number of materials");
  if (pressed) frame.act("find materials", {std::to_string(classes)});
  ImGui::EndDisabled();
  if (!frame.model.knows_hu()) return;
  if (ImGui::Button("Air, fat, soft tissue, bone", {-1, 0})) frame.act("tissue materials");
  name_item("Air, fat, soft tissue, bone");
  tooltip("Materials of a patient, by Hounsfield units");
}

}  // namespace

void material_panel(Frame& frame) {
  if (!section("Materials", true)) return;
  if (!frame.next.materials.empty()) {
    for (StateSection& s : describe(frame.next))
      if (s.name == "display") edit_row(frame, of(s.parameters, "materials"), 1, "show");
    ranges_on_histogram(frame);
    material_rows(frame);
  } else {
    quiet_text("Ranges of values with a name, a colour and an opacity, for slices and 3-D alike.");
  }
  found_rows(frame);
}

}  // namespace backlit::viewer

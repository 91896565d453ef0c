#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "panels/panels.hpp"
#include "panels/plots/histogram_plot.hpp"
#include "panels/widgets.hpp"
#include "views/look.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// What a choice does to the picture.
std::string effect_of(const std::string& choice) {
  static const std::map<std::string, std::string> effects{
      {"mip", "Largest value along each ray: small dense things show through everything (maximum intensity)"},
      {"average", "Mean value along each ray"},
      {"drr", "Sum along each ray, as a radiograph shows it"},
      {"iso", "The surface at one value, lit: the iso value below"},
      {"dvr", "Light through the volume: colour and opacity by the transfer function below"},
      {"volume", "The reconstructed volume"},
      {"d2vr", "Straight from the projections, without a volume: as sharp as the data at any zoom, slower"},
      {"split", "Volume, D2VR and their difference, with one camera"},
      {"difference", "D2VR minus volume: what the voxels lose"}};
  const auto found = effects.find(choice);
  return found == effects.end() ? "" : found->second;
}

/// A row of buttons of which one is pressed; each sets the parameter to its own name.
bool choice_buttons(const Parameter& p) {
  auto& value = **std::get_if<std::string*>(&p.target);
  // Widths follow the labels: with equal widths the longest label would be cut off.
  const auto wanted = [](const std::string& label) { return ImGui::CalcTextSize(label.c_str()).x + 8; };
  float all = 0;
  for (const std::string& label : p.choices) all += wanted(label);
  const float stretch = (ImGui::GetContentRegionAvail().x - 3 * static_cast<float>(p.choices.size() - 1)) / all;
  bool changed = false;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {3, ImGui::GetStyle().ItemSpacing.y});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {2, ImGui::GetStyle().FramePadding.y});
  for (std::size_t i = 0; i < p.choices.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    if (!toggle_button(p.choices[i].c_str(), value == p.choices[i], effect_of(p.choices[i]).c_str(),
                       {stretch * wanted(p.choices[i]), 0}))
      continue;
    changed = value != p.choices[i];
    value = p.choices[i];
  }
  ImGui::PopStyleVar(2);
  return changed;
}

/// The values of all surfaces on the histogram, where they can be dragged. `first`: the first one's.
void values_on_histogram(Frame& frame, double first) {
  static std::size_t held = 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ValueAxis axis = value_axis(frame, {at, {ImGui::GetContentRegionAvail().x, 60 * frame.unit}});
  auto& surfaces = frame.next.surfaces;
  std::vector<std::pair<double, std::string>> all{{first, frame.next.display.iso_color}};
  for (const IsoSurface& s : surfaces) all.emplace_back(s.value, s.color);
  for (const auto& [value, color] : all) {
    axis.low = std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  }
  ImGui::InvisibleButton("iso values", axis.rect.size);
  name_item("iso values");
  tooltip("Values of the surfaces: drag them");
  const float x = ImGui::GetIO().MousePos.x;
  const auto away = [&](const auto& v) { return std::abs(axis.x(v.first) - x); };
  if (ImGui::IsItemActivated()) held = static_cast<std::size_t>(std::ranges::min_element(all, {}, away) - all.begin());
  if (ImGui::IsItemActive() && held < all.size() && (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0)) {
    (held == 0 ? frame.next.display.iso : surfaces[held - 1].value) = axis.value(x);
    frame.edited("surface");
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(axis.rect.min, axis.rect.max(), ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f), 4 * frame.unit);
  draw_histogram(frame, axis, palette().faint);
  for (const auto& [value, color] : all) {
    const Rgb c = color_from(color, "surface");
    line(list, {axis.x(value), axis.rect.min.y}, {axis.x(value), axis.rect.max().y}, IM_COL32(c.r, c.g, c.b, 255),
         2 * frame.unit);
  }
  ImGui::Dummy({1, draw_value_ticks(frame, axis, frame.model.value_unit())});
}

/// Value, opacity and colour of the surfaces beside the first.
void more_surfaces(Frame& frame, double range, double first) {
  auto& surfaces = frame.next.surfaces;
  std::size_t gone = surfaces.size();
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    IsoSurface& s = surfaces[i];
    const std::string number = std::to_string(i + 2);
    ImGui::PushID(static_cast<int>(i));
    row("surface " + number, "Value and opacity of another surface. Those of larger values lie within the others.");
    const float width = 0.5f * (ImGui::GetContentRegionAvail().x - 4.5f * ImGui::GetFontSize());
    ImGui::SetNextItemWidth(width);
    bool changed = ImGui::DragScalar("##value", ImGuiDataType_Double, &s.value, static_cast<float>(range / 500),
                                     nullptr, nullptr, "%.4g");
    name_item("surface " + number);
    ImGui::SameLine(0, 3);
    ImGui::SetNextItemWidth(width);
    const double none = 0, all = 1;
    changed = ImGui::SliderScalar("##opacity", ImGuiDataType_Double, &s.opacity, &none, &all, "%.2f",
                                  ImGuiSliderFlags_AlwaysClamp) ||
              changed;
    name_item("opacity " + number);
    ImGui::SameLine(0, 3);
    changed = color_button("##color", s.color, "Colour of the surface") || changed;
    ImGui::SameLine(0, 3);
    if (ImGui::Button("×")) gone = i;
    tooltip("Remove this surface");
    ImGui::PopID();
    if (changed) frame.edited("surface");
  }
  if (gone < surfaces.size()) {
    surfaces.erase(surfaces.begin() + static_cast<std::ptrdiff_t>(gone));
    frame.edited("surface");
  }
  if (surfaces.size() >= most_surfaces) return;
  const bool pressed = ImGui::Button("Add a surface", {-1, 0});
  name_item("Add a surface");
  tooltip("Shows another surface, through which the first can be seen");
  if (!pressed) return;
  static constexpr std::array colors{"#c05030", "#3aa6a0", "#5b7fd0", "#b9a13a"};
  const auto& h = frame.status.histogram;
  // Of the object, where the first shows its dense part; else halfway to what is brightest.
  const bool inside = h && h->classes.two_parts && h->classes.object < 0.9 * first;
  const double value = inside && surfaces.empty() ? h->classes.object : 0.5 * (first + frame.next.display.high);
  surfaces.push_back({value, inside ? 0.35 : 0.6, colors[surfaces.size() % colors.size()]});
  if (!inside && frame.next.display.iso_opacity >= 1) frame.next.display.iso_opacity = 0.4;
  frame.edited("surface");
}

}  // namespace

void volume_panel(Frame& frame) {
  if (!section("3-D view")) return;
  Parameters display, camera;
  for (StateSection& s : describe(frame.next)) {
    if (s.name == "display") display = std::move(s.parameters);
    if (s.name == "camera") camera = std::move(s.parameters);
  }
  if (choice_buttons(of(display, "mode"))) frame.edited("mode");
  const bool views = frame.status.source && frame.status.source->has_views;
  ImGui::BeginDisabled(!views);
  if (choice_buttons(of(display, "picture"))) frame.edited("picture");
  ImGui::EndDisabled();
  const std::string& mode = frame.next.display.mode;
  const double range = frame.next.display.high - frame.next.display.low;
  if (mode == "iso") {
    const double iso = iso_value(frame.next.display, frame.status);
    values_on_histogram(frame, iso);
    value_row(frame, of(display, "iso"), range / 500, {frame.with_unit(fmt::format("automatic ({:.4g})", iso)), iso});
    edit_row(frame, of(display, "iso_opacity"));
    row("colour", "Colour of the isosurface");
    if (color_button("##iso_color", frame.next.display.iso_color, "Colour of the surface")) frame.edited("iso_color");
    more_surfaces(frame, range, iso);
  }
  if (mode == "dvr") edit_row(frame, of(display, "shaded"));
  if (mode == "dvr") edit_row(frame, of(display, "gradient_opacity"));
  if (mode == "dvr" || mode == "iso") {
    edit_row(frame, of(display, "shadows"));
    edit_row(frame, of(display, "occlusion"));
  }
  edit_row(frame, of(display, "step"));
  edit_row(frame, of(camera, "fov"), 0.2);
}

}  // namespace backlit::viewer

#include <fmt/format.h>

#include <map>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "views/look.hpp"

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
    edit_row(frame, of(display, "iso"), range / 500, nullptr, {fmt::format("automatic ({:.4g})", iso), iso});
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

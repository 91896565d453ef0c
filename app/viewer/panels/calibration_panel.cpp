#include <fmt/format.h>
#include <imgui_internal.h>

#include <cmath>

#include "model/geometry_parameters.hpp"
#include "model/progress_words.hpp"
#include "panels/panels.hpp"
#include "panels/plots/criterion_slider.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"

namespace backlit::viewer {
namespace {

bool is_center(const GeometryParameter& p) { return std::string_view(p.name) == "center_shift"; }

/// What is added to the state's number where it is shown: axes are shown as columns.
double origin(const Frame& frame, const GeometryParameter& p) {
  return is_center(p) ? frame.status.source->center_px : 0;
}

const char* help_of(const GeometryParameter& p) {
  const std::string_view name = p.name;
  if (name == "center_shift")
    return "Column onto which the rotation axis projects. Wrong: edges are doubled or end in arcs.";
  if (name == "offset_v") return "Added to the row onto which the plane of the source projects";
  if (name == "tilt_n")
    return "Detector turned in its plane. Wrong: slices far from the middle are doubled, that in the middle is sharp.";
  if (name == "tilt_u") return "Detector turned about its rows. Has little effect; calibration does not find it.";
  if (name == "tilt_v") return "Detector turned about its columns. Wrong: edges to one side are blurred.";
  return "Factor of the distance from source to detector. Wrong: edges far from the axis are blurred.";
}

/// How its value is written.
std::string format_of(const GeometryParameter& p) {
  const std::string_view name = p.name;
  const char* const unit = name == "detector_distance" ? ""
                           : name.starts_with("tilt")  ? " deg"
                           : is_center(p)              ? ""
                                                       : " px";
  return fmt::format("{}%.{}f{}", is_center(p) ? "column " : name == "detector_distance" ? "× " : "", p.decimals, unit);
}

/// The number itself. It is then selected.
void slider(Frame& frame, const GeometryParameter& p) {
  const bool held = frame.next.layout.selected_number == p.name;
  const std::string help = std::string(help_of(p)) + "\n" + how_to_type +
                           " Shift: ten times faster; Alt: a hundred times finer." +
                           (held ? " Ctrl + arrows turn it finely, with Shift coarsely." : "");
  row((held ? "• " : "") + spoken(p.name), help);
  double shown = frame.next.geometry.*p.member + origin(frame, p);
  const std::string id = std::string("##") + p.name;
  const bool changed = ImGui::DragScalar(id.c_str(), ImGuiDataType_Double, &shown, static_cast<float>(0.1 * p.step),
                                         nullptr, nullptr, format_of(p).c_str()) &&
                       !ImGui::TempInputIsActive(ImGui::GetItemID());
  const bool touched = ImGui::IsItemActivated();
  name_item(p.name);
  field_tooltip(help);
  if (changed) frame.next.geometry.*p.member = shown - origin(frame, p);
  if (changed || (touched && !held)) {
    frame.next.layout.selected_number = p.name;
    frame.edited(changed ? p.name : "selected_number");
  }
}

void curve(Frame& frame, const GeometryParameter& p, const CalibratedParameter& found) {
  if (found.at.empty()) return;
  std::vector<double> at = found.at;
  for (double& value : at) value += origin(frame, p);
  const Criterion c{at,
                    found.criterion,
                    frame.next.geometry.*p.member + origin(frame, p),
                    found.value + origin(frame, p),
                    found.uncertainty,
                    found.determined};
  const auto chosen = criterion_slider(frame, (std::string(p.name) + " curve").c_str(), c);
  if (!chosen) return;
  frame.next.geometry.*p.member = *chosen - origin(frame, p);
  frame.next.layout.selected_number = p.name;
  frame.edited(p.name);
}

/// Text on the left, a button on the right that is grey once there is nothing to take.
void take_row(Frame& frame, const std::string& name, const std::string& text, bool taken) {
  note_text(name + " found", text);
  const float button = 4 * ImGui::GetFontSize();
  ImGui::PushTextWrapPos(ImGui::GetWindowContentRegionMax().x - button - ImGui::GetStyle().ItemSpacing.x);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - button);
  ImGui::BeginDisabled(taken);
  ImGui::PushID(name.c_str());
  if (ImGui::Button(taken ? "taken" : "Take", {button, 0})) frame.act("take calibration", {name});
  ImGui::PopID();
  ImGui::EndDisabled();
  name_item("Take " + name);
  tooltip("Sets the value that was found");
}

void result(Frame& frame, const GeometryParameter& p, const CalibratedParameter& found) {
  if (!found.determined) {
    note_text(std::string(p.name) + " found", found.reason);
    return quiet_text("Left alone: " + found.reason + ".");
  }
  const double at = origin(frame, p), was = frame.status.calibrated_from.*p.member;
  take_row(frame, p.name,
           fmt::format("found {:.{}f} ± {:.1g}, was {:.{}f}", found.value + at, p.decimals, found.uncertainty, was + at,
                       p.decimals),
           frame.next.geometry.*p.member == found.value);
}

void direction(Frame& frame, const Parameters& geometry) {
  edit_row(frame, of(geometry, "reversed"));
  const auto& found = frame.status.calibration;
  if (!found) return;
  if (!found->direction_determined) return quiet_text("Left alone: " + found->direction_reason + ".");
  const bool other = found->correction.reversed;
  take_row(frame, "reversed", other ? "found: reversed" : "found: as the file says",
           frame.next.geometry.reversed == other);
}

void buttons(Frame& frame) {
  const Status& s = frame.status;
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  const auto button = [&](const char* label, const char* action, bool enabled = true) {
    ImGui::BeginDisabled(!enabled);
    if (ImGui::Button(label, {half, 0})) frame.act(action);
    ImGui::EndDisabled();
    name_item(label);
    tooltip(action_info(action).help);
  };
  if (s.calibrating)
    button("Cancel search", "cancel calibration");
  else
    button("Calibrate", "calibrate", !s.source->arriving);
  ImGui::SameLine();
  button("Take all", "take calibration", s.calibration != nullptr);
  button("Find the centre", "find center", !s.source->arriving);
  ImGui::SameLine();
  button("Reset geometry", "reset geometry");
  if (s.calibrating) {
    const std::string text = activity_in_words(s);
    quiet_text(text.empty() ? "Waiting for the present step ..." : text);
    note_text("calibrating", text);
  }
}

/// The distance from source to axis.
void scale(Frame& frame, const Parameters& geometry) {
  edit_row(frame, of(geometry, "axis_distance"));
  constexpr const char* why = "No view determines it. Measure a known length and type its true length there.";
  note_text("axis_distance found", why);
  if (frame.next.geometry.axis_distance == 1) quiet_text(why);
}

/// What was compared, and how well views agree.
void summary(const Calibration& c) {
  fact("disagreement", fmt::format("{:.3g}, was {:.3g}", c.after, c.before));
  tooltip("Of " + c.criterion + ". 0: they agree, 1: they are unrelated");
  for (const std::string& note : c.notes) quiet_text(sentence(note));
}

/// Slices for values around the selected one.
void candidates(Frame& frame) {
  LayoutState& layout = frame.next.layout;
  row("slices around it", "Below the views: a slice for seven values of the selected number (•). A click takes one.");
  bool shown = layout.strip == "candidates";
  if (ImGui::Checkbox("##strip", &shown)) {
    layout.strip = shown ? "candidates" : "off";
    frame.edited("strip");
  }
  name_item("slices around it");
  if (!shown) return;
  const GeometryParameter& selected = geometry_parameter(layout.selected_number);
  double step = selected.step * layout.step_scale;
  row("apart", "From one of these slices to the next; keys move by it, or by a tenth");
  if (ImGui::DragScalar("##apart", ImGuiDataType_Double, &step, static_cast<float>(0.01 * selected.step), nullptr,
                        nullptr, "%.4g") &&
      step >= 1e-3 * selected.step && step <= 1e3 * selected.step) {
    layout.step_scale = step / selected.step;
    frame.edited("step_scale");
  }
  name_item("apart");
}

}  // namespace

void calibration_panel(Frame& frame) {
  const auto& source = frame.status.source;
  if (!source || !source->has_views || frame.model.list_mode()) return;
  static const Calibration* seen = nullptr;  // a new result is shown at once
  const auto& found = frame.status.calibration;
  if (std::exchange(seen, found.get()) != found.get() && found) ImGui::SetNextItemOpen(true);
  if (!section("Calibration", true)) return;
  buttons(frame);
  before_and_after(frame, "Calibration");
  if (found) summary(*found);
  const bool cone = source->scan.beam() == Beam::cone, flat = source->scan.detector.shape == Detector::Shape::flat;
  for (const GeometryParameter& p : geometry_parameters()) {
    const std::string_view name = p.name;
    if (name == "detector_distance" && (!cone || !flat)) continue;
    if (name.starts_with("tilt") && !flat) continue;
    slider(frame, p);
    if (!found) continue;
    curve(frame, p, found_by(*found, p));
    result(frame, p, found_by(*found, p));
  }
  Parameters geometry;
  for (StateSection& s : describe(frame.next))
    if (s.name == "geometry") geometry = std::move(s.parameters);
  if (cone) scale(frame, geometry);
  direction(frame, geometry);
  candidates(frame);
  if (ImGui::Button("Compare nine centres", {-1, 0})) frame.act("layout centers");
  name_item("Compare centres");
  tooltip("The axial slice for nine rotation centres; a click takes one  [F8]");
}

}  // namespace backlit::viewer

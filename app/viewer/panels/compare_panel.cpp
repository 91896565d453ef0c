#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "views/look.hpp"
#include "window/synthetic_input.hpp"

namespace backlit::viewer {
namespace {

Parameters section_of(ViewState& state, const std::string& name) {
  for (StateSection& s : describe(state))
    if (s.name == name) return std::move(s.parameters);
  return {};
}

/// Half a row: the first one, or what is left of it.
bool half_button(const char* label, const char* help, bool enabled, bool second = false) {
  const float half = second ? -1 : 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label, {half, 0});
  ImGui::EndDisabled();
  name_item(label);
  tooltip(help);
  return pressed;
}

void choose_volumes(Frame& frame) {
  const bool pinned = frame.status.pinned.has_value();
  if (half_button("Pin as A", "Keep the present volume as A; what is reconstructed or opened after is B  [P]",
                  frame.has_volume()))
    frame.act("pin");
  ImGui::SameLine();
  if (half_button("Open as A ...",
                  "A volume from a file, to show it with the present one: PET over CT, an earlier scan", true, true))
    frame.act("pin file");
  if (!pinned) return;
  fact("A", frame.status.pinned->label);
  if (half_button("Unpin", "Let go of A", true)) frame.act("unpin");
}

void colors_of_a(Frame& frame) {
  Parameters list = section_of(frame.next, "pinned");
  edit_row(frame, of(list, "pinned_map"));
  if (frame.next.layout.compare == "overlay") edit_row(frame, of(list, "opacity"));
  const Window window = pinned_window(frame.next, frame.status);
  PinnedState& p = frame.next.pinned;
  const bool automatic = !(p.low < p.high);
  double low = window.low, high = window.high;
  const double speed = std::max(1e-12, (high - low) / 500);
  Parameter from = of(list, "pinned_low"), to = of(list, "pinned_high");
  from.target = &low;
  to.target = &high;
  const bool changed = parameter_row(from, speed), changed_too = parameter_row(to, speed);
  if ((changed || changed_too) && low < high) {
    p.low = low;
    p.high = high;
    frame.edited("window of A");
  }
  if (!automatic && ImGui::Button("Automatic window", {-1, 0})) {
    p.low = p.high = 0;
    frame.edited("window of A");
  }
}

/// Where A lies: by hand, and by what both have in common.
void alignment(Frame& frame) {
  if (!ImGui::TreeNodeEx("Alignment", ImGuiTreeNodeFlags_SpanAvailWidth)) return name_item("Alignment");
  name_item("Alignment");
  Parameters list = section_of(frame.next, "pinned");
  const VolumeGrid& grid = frame.status.pinned->grid;
  const double mm = 0.25 * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  for (const char* name : {"move_x", "move_y", "move_z"}) edit_row(frame, of(list, name), mm);
  for (const char* name : {"turn_x", "turn_y", "turn_z"}) edit_row(frame, of(list, name), 0.1);
  std::string& tool = frame.next.layout.tool;
  if (toggle_button("Move by hand", tool == "move A", "Drag A in a slice; with Ctrl it turns", {-1, 0})) {
    tool = tool == "move A" ? "crosshair" : "move A";
    frame.edited("tool");
  }
  if (half_button("Register",
                  "Move and turn A onto B by mutual information, from where it lies: any two kinds of images",
                  !frame.status.running))
    frame.act("register");
  ImGui::SameLine();
  if (half_button("Back", "Put A back to where it came from", true, true)) frame.act("align reset");
  if (!frame.status.registration_note.empty()) quiet_text(frame.status.registration_note);
  note_text("registration", frame.status.registration_note);
  ImGui::TreePop();
}

void numbers(Frame& frame) {
  const auto& compared = frame.status.compared;
  const bool fresh = compared && compared->generation == frame.status.generation;
  ImGui::BeginDisabled(frame.status.running);
  if (ImGui::Button("RMSE, SSIM", {-1, 0})) frame.act("compare numbers");
  ImGui::EndDisabled();
  name_item("RMSE, SSIM");
  tooltip("Compare all voxels of B with A");
  if (!fresh) return;
  const Metrics& m = compared->metrics;
  fact("RMSE", frame.with_unit(fmt::format("{:.4g}", m.rmse)));
  fact("largest difference", frame.with_unit(fmt::format("{:.4g}", m.max_abs)));
  fact("PSNR", fmt::format("{:.2f} dB", m.psnr_db));
  fact("SSIM", fmt::format("{:.5f}", m.ssim));
}

/// Parameters of the reconstruction that are not the same for A and B, as a table.
void differences(Frame& frame) {
  if (!frame.status.pinned->made_by) return;
  ViewState a = *frame.status.pinned->made_by, b = frame.next;
  const auto left = describe(a), right = describe(b);
  const auto shown = [&](const Parameter& p) {
    const std::string unit = p.unit == "mm" ? frame.length_unit() : p.unit;
    return unit.empty() || std::holds_alternative<std::string*>(p.target) ? p.text() : p.text() + " " + unit;
  };
  std::vector<std::array<std::string, 3>> rows;
  for (std::size_t s = 0; s < left.size(); ++s) {
    const std::string& name = left[s].name;
    if (name != "reconstruction" && name != "geometry" && name != "grid" && name != "pet") continue;
    for (const Parameter& p : left[s].parameters) {
      const auto same = std::ranges::find(right[s].parameters, p.name, &Parameter::name);
      const std::string now = same == right[s].parameters.end() ? "-" : shown(*same);
      if (shown(p) != now) rows.push_back({spoken(p.name), shown(p), now});
    }
    for (const Parameter& p : right[s].parameters)
      if (std::ranges::find(left[s].parameters, p.name, &Parameter::name) == left[s].parameters.end())
        rows.push_back({spoken(p.name), "-", shown(p)});
  }
  if (rows.empty()) return quiet_text("A and B have the same parameters.");
  if (!ImGui::BeginTable("parameters", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) return;
  for (const char* head : {"", "A", "B"}) ImGui::TableSetupColumn(head);
  ImGui::TableHeadersRow();
  for (const auto& row : rows) {
    ImGui::TableNextRow();
    for (const std::string& cell : row) {
      ImGui::TableNextColumn();
      ImGui::TextWrapped("%s", cell.c_str());
    }
    note_text(row[0] + " of A and B", row[1] + " | " + row[2]);
  }
  ImGui::EndTable();
}

}  // namespace

void compare_panel(Frame& frame) {
  if (!section("Compare", true)) return;
  choose_volumes(frame);
  if (!frame.status.pinned) return quiet_text("Pin a volume, then change a parameter or open another file.");
  Parameters layout = section_of(frame.next, "layout");
  edit_row(frame, of(layout, "compare"), 1, "show");
  if (frame.next.layout.compare == "wipe") edit_row(frame, of(layout, "wipe"));
  if (frame.next.layout.compare != "off") colors_of_a(frame);
  alignment(frame);
  numbers(frame);
  differences(frame);
}

}  // namespace backlit::viewer

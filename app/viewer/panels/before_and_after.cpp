#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {

void before_and_after(Frame& frame, const std::string& panel) {
  ImGui::PushID(panel.c_str());
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
  ImGui::BeginDisabled(!frame.has_volume());
  if (ImGui::Button("Keep as before", {half, 0})) {
    frame.act("pin");
    frame.act("compare", {"wipe"});
  }
  ImGui::EndDisabled();
  name_item("Keep as before, " + panel);
  tooltip("Keeps the present volume as A. What you change from now on is B: drag the line across the slices.  [P]");
  ImGui::SameLine();
  ImGui::BeginDisabled(!frame.status.pinned);
  if (ImGui::Button("Before / after", {-1, 0})) frame.act("flip");
  ImGui::EndDisabled();
  name_item("Before / after, " + panel);
  tooltip(action_info("flip").help + "  [A]");
  ImGui::PopID();
}

}  // namespace backlit::viewer

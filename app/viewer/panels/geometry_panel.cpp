#include <fmt/format.h>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

void geometry_rows(Frame& frame, const Parameters& geometry) {
  row("axis at column", "where the rotation axis projects: the file's column plus the shift");
  double column = frame.status.source->center_px + frame.next.geometry.center_shift;
  if (ImGui::DragScalar("##axis", ImGuiDataType_Double, &column, 0.02f, nullptr, nullptr, "%.2f px")) {
    frame.next.geometry.center_shift = column - frame.status.source->center_px;
    frame.edited("center_shift");
  }
  name_item("center_shift");
  for (const Parameter& p : geometry)
    if (p.name != "center_shift") edit_row(frame, p, 0.02);
  if (ImGui::Button("Find the centre")) frame.act("find center");
  name_item("Find the centre");
  tooltip(action_info("find center").help);
  ImGui::SameLine();
  if (ImGui::Button("Reset")) frame.act("reset geometry");
  name_item("Reset geometry");
  tooltip(action_info("reset geometry").help);
  ImGui::Spacing();
}

}  // namespace

void geometry_panel(Frame& frame) {
  if (!frame.status.source || !frame.status.source->can_run()) return;
  const bool list = frame.model.list_mode();
  if (!section(list ? "Region" : "Geometry and region", true)) return;
  Parameters geometry, grid;
  for (StateSection& s : describe(frame.next)) {
    if (s.name == "geometry") geometry = std::move(s.parameters);
    if (s.name == "grid") grid = std::move(s.parameters);
  }
  if (!list) geometry_rows(frame, geometry);
  for (const Parameter& p : grid) edit_row(frame, p, p.name == "voxel" ? 0.005 : 0.1);
}

}  // namespace backlit::viewer

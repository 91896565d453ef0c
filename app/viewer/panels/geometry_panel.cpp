#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "model/actions/geometry_edit.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

/// The grid of the next reconstruction; the file's grid while the fields are inconsistent.
VolumeGrid grid_to_be(const Frame& frame) {
  try {
    return chosen_grid(frame.status.source->grid, session_options({}, {}, frame.next.grid, 0).grid);
  } catch (const InputError&) {
    return frame.status.source->grid;
  }
}

void geometry_rows(Frame& frame, const Parameters& geometry) {
  row("rotation axis", "column onto which the rotation axis projects: the file's column plus the shift");
  double column = frame.status.source->center_px + frame.next.geometry.center_shift;
  if (ImGui::DragScalar("##axis", ImGuiDataType_Double, &column, 0.02f, nullptr, nullptr, "column %.2f")) {
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
  if (ImGui::Button("Compare")) frame.act("layout centers");
  name_item("Compare centres");
  tooltip("The axial slice for several rotation centres; a click takes one  [F8]");
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
  const VolumeGrid chosen = grid_to_be(frame);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Parameter& p = grid[i];
    if (p.name.starts_with("size"))
      edit_row(frame, p, 0.1, nullptr,
               {fmt::format("automatic ({})", chosen.size[i]), static_cast<double>(chosen.size[i])});
    else if (p.name == "voxel")
      edit_row(frame, p, 0.005, nullptr,
               {fmt::format("automatic ({:.4g} {})", chosen.spacing.x, frame.length_unit()), chosen.spacing.x});
    else
      edit_row(frame, p, 0.1);
  }
}

}  // namespace backlit::viewer

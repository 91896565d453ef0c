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

}  // namespace

void region_panel(Frame& frame) {
  if (!frame.status.source || !frame.status.source->can_run()) return;
  if (!section("Region and voxels", true)) return;
  Parameters grid;
  for (StateSection& s : describe(frame.next))
    if (s.name == "grid") grid = std::move(s.parameters);
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

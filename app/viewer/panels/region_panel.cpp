#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"

namespace backlit::viewer {
namespace {

/// The fields, with what is being typed into one of them.
GridState fields_now(const Frame& frame) {
  GridState grid = frame.next.grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const auto typed = typed_into(std::string("size_") + "xyz"[axis])) grid.size[axis] = std::llround(*typed);
  if (const auto typed = typed_into("voxel")) grid.voxel = *typed;
  return grid;
}

/// The grid that fields mean; the file's grid while they are inconsistent.
VolumeGrid grid_to_be(const Frame& frame, const GridState& fields) {
  try {
    return next_grid(*frame.status.source, frame.next.geometry, fields);
  } catch (const InputError&) {
    return frame.status.source->grid;
  }
}

/// How large the next volume is, and whether there is room for it.
void size_of_next(Frame& frame) {
  const GridState fields = fields_now(frame);
  const std::string problem = frame.model.too_large(fields);
  std::string text = size_in_words(grid_to_be(frame, fields));
  const std::string room = frame.model.hooks.room ? room_in_words(frame.model.hooks.room()) : "";
  if (!room.empty()) text += "; " + room;
  note_text("next volume", text);
  note_text("too large", problem);
  if (problem.empty()) return quiet_text(text);
  warning(problem);
  quiet_text("It does not start by itself. Press Reconstruct to compute it in parts.");
}

}  // namespace

void region_panel(Frame& frame) {
  if (!frame.status.source || !frame.status.source->can_run()) return;
  if (!section("Region and voxels", true)) return;
  Parameters grid;
  for (StateSection& s : describe(frame.next))
    if (s.name == "grid") grid = std::move(s.parameters);
  const VolumeGrid chosen = grid_to_be(frame, frame.next.grid);
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
  size_of_next(frame);
}

}  // namespace backlit::viewer

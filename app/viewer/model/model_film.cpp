// Slices that are played as a film.
#include <algorithm>
#include <cmath>

#include "model/model.hpp"

namespace backlit::viewer {

void Model::play_slices() {
  const auto now = Clock::now();
  if (!playing() || played_ == Clock::time_point{}) {
    played_ = playing() ? now : Clock::time_point{};
    return;
  }
  const LayoutState& layout = state().layout;
  const double slices = std::floor(layout.play_speed * std::chrono::duration<double>(now - played_).count());
  if (slices < 1) return;
  played_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(slices / layout.play_speed));
  const int axis = layout.play == "sagittal" ? 0 : layout.play == "coronal" ? 1 : 2;
  const VolumeGrid& grid = status_.grid;
  const std::int64_t count = grid.size[static_cast<std::size_t>(axis)];
  ViewState next = state();
  double& at = next.crosshair[axis];
  const std::int64_t slice = std::llround((at - grid.first_voxel()[axis]) / grid.spacing[axis]);
  const std::int64_t to = (slice + static_cast<std::int64_t>(slices)) % count;
  at = grid.first_voxel()[axis] + static_cast<double>(std::max<std::int64_t>(to, 0)) * grid.spacing[axis];
  history_.amend(std::move(next));
}

}  // namespace backlit::viewer

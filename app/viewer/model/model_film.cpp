// Slices and cameras that are played as a film.
#include <algorithm>
#include <cmath>
#include <utility>

#include "model/model.hpp"
#include "model/values/exports.hpp"

namespace backlit::viewer {

void Model::play() {
  const std::string& what = state().layout.play;
  const bool path = what == "path" && state().keyframes.size() > 1;
  const bool cameras = playing() && (path || what == "turntable");
  if (!cameras && film_camera_) {
    ViewState next = state();
    next.camera = *std::exchange(film_camera_, std::nullopt);
    history_.amend(std::move(next));
    played_ = {};
  }
  const auto now = Clock::now();
  if (!playing() || played_ == Clock::time_point{}) {
    played_ = playing() ? now : Clock::time_point{};
    return;
  }
  const double seconds = std::chrono::duration<double>(now - played_).count();
  if (cameras) return play_cameras(seconds);
  if (what != "path") play_slices(seconds);
}

void Model::play_slices(double seconds) {
  const LayoutState& layout = state().layout;
  const double slices = std::floor(layout.play_speed * seconds);
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

/// As fast as the movie that is written of it.
void Model::play_cameras(double seconds) {
  if (!film_camera_) film_camera_ = state().camera;
  const std::int64_t count = picture_count(state().movie);
  const auto path =
      state().layout.play == "path" ? keyframe_path(state().keyframes, count) : turntable_path(*film_camera_, count);
  const auto picture = static_cast<std::int64_t>(seconds * pictures_a_second) % count;
  ViewState next = state();
  next.camera = path[static_cast<std::size_t>(picture)];
  history_.amend(std::move(next));
}

}  // namespace backlit::viewer

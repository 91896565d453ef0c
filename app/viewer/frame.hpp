// Input of panes and panels, and the changes that they request. They edit `next` and name the change; only the
// application applies it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "views/pictures.hpp"

namespace backlit::viewer {

class LiveSlices;

/// One unfinished measurement; cleared when the tool changes.
struct PendingPoints {
  std::string tool;
  std::vector<Vec3> points;
  /// A point of a finished measurement that is being dragged: the measurement's number and the point's.
  std::optional<std::pair<std::size_t, std::size_t>> held{};
};

class Frame {
 public:
  Frame(Model& model_, Painter& painter_, gl::GlBackend& backend_, PendingPoints& pending_, LiveSlices& live_,
        float unit_)
      : model(model_),
        status(model_.status()),
        painter(painter_),
        backend(backend_),
        pending(pending_),
        next(model_.state()),
        unit(unit_),
        live(live_),
        front(model_.begin_frame()) {}

  Model& model;
  const Status& status;
  Painter& painter;
  gl::GlBackend& backend;  ///< in the window's context
  PendingPoints& pending;
  ViewState next;    ///< the state after this frame; call edited() after changing it
  const float unit;  ///< px of one unit of the layout
  LiveSlices& live;
  const gl::GlDisplayVolume::Front front;
  float notices = 0;  ///< px, height of the notices at the lower edge so far: the next one lies above them

  /// Whether A is shown now in place of B: they alternate, or are flipped by a key.
  bool shows_a() const {
    const std::string& mode = model.compared_by();
    if (mode == "flip") return next.layout.flipped;
    if (mode != "flicker") return false;
    constexpr double seconds = 0.6;
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    return std::fmod(now, 2 * seconds) < seconds;
  }
  /// Unit of lengths: "px" for files without a pixel size.
  const char* length_unit() const { return status.source && !status.source->pixel_size_known ? "px" : "mm"; }
  /// A value's text, followed by the unit of the volume's values where that is known.
  std::string with_unit(const std::string& value) const {
    const std::string unit_of_values = model.value_unit();
    return unit_of_values.empty() ? value : value + " " + unit_of_values;
  }
  /// A coordinate with as many digits as voxels deserve.
  static std::string place_text(double mm, const VolumeGrid& grid) {
    return fmt::format("{:.{}f}", mm, place_digits(grid));
  }
  /// The number of its digits after the point.
  static int place_digits(const VolumeGrid& grid) {
    const double voxel = std::max(std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z}), 1e-12);
    return std::clamp(static_cast<int>(std::ceil(1 - std::log10(voxel))), 2, 9);
  }
  /// What the title of a picture of the volume adds: it is a first, quick one, or is of other parameters than those of
  /// the panels. Nothing where the volume follows at once.
  std::string state_of_volume() const {
    if (status.preview) return "  preview";
    return model.stale() && !status.started.whole ? "  outdated" : "";
  }
  bool has_volume() const { return front.generation > 0; }
  /// Grid of the volume shown, or else of the volume to be reconstructed; size zero without either.
  VolumeGrid grid() const {
    if (has_volume()) return front.grid;
    return status.source ? status.source->grid : VolumeGrid{};
  }

  /// Reports that `next` was changed; `name` is the undo step.
  void edited(const std::string& name) { edit_ = name; }
  void act(std::string name, std::vector<std::string> arguments = {}) {
    actions_.push_back({std::move(name), std::move(arguments)});
  }
  /// Requests another frame even without user input.
  void again() { again_ = true; }
  /// Sets the point under the pointer, for the status bar.
  void probe(const Vec3& point) {
    probe_ = point;
    probed_ = true;
  }

  const std::string& edit() const { return edit_; }
  const std::vector<Action>& actions() const { return actions_; }
  bool wants_another() const { return again_; }
  const Vec3* probed() const { return probed_ ? &probe_ : nullptr; }

 private:
  std::string edit_;
  std::vector<Action> actions_;
  bool again_ = false, probed_ = false;
  Vec3 probe_{0};
};

}  // namespace backlit::viewer

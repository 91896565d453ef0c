// The volume A: pinned, let go of, and found again by undo.
#include <filesystem>
#include <utility>

#include <backlit/core/error.hpp>
#include "model/model.hpp"

namespace backlit::viewer {

const std::string& Model::compared_by() const { return status_.pinned ? state().layout.compare : compare_modes()[0]; }

void Model::pin() {
  if (status_.generation == 0) throw InputError("pin", "there is no volume yet", "open or reconstruct one");
  ViewState next = state();
  next.pinned = PinnedState{};
  next.pinned.map = state().pinned.map;
  next.pinned.opacity = state().pinned.opacity;
  next.pinned.kept = ++last_kept_;
  worker_.give(order::Pin{"", last_kept_, true});
  edit(std::move(next), "pin");
}

void Model::pin_file(const std::string& file) {
  ViewState next = state();
  const bool again = next.pinned.file == file;
  next.pinned = PinnedState{};
  next.pinned.file = file;
  edit(std::move(next), "pin file");
  if (again) order_pinned();
}

void Model::pinned_changed(const ViewState& before) {
  const PinnedState& now = state().pinned;
  if (now.file != before.pinned.file || now.kept == 0)
    unpin();  // otherwise the last A is shown until the next one is there
  order_pinned();
}

void Model::order_pinned() {
  const PinnedState& now = state().pinned;
  if (!now.file.empty() || now.kept > 0) worker_.give(order::Pin{now.file, now.kept});
}

void Model::take_pinned(const event::Pinned& e) {
  status_.compared.reset();
  status_.registration_note.clear();
  const bool computed = !e.computed.empty();
  if (!computed && !same_pinned({e.file, e.kept}, state().pinned)) return;  // it was let go meanwhile
  if (e.generation == 0) return forget_pinned();
  if (const auto known = kept_.find(e.kept); known != kept_.end()) {
    status_.pinned = known->second;
    return;
  }
  const std::string name = computed ? e.computed : std::filesystem::path(e.file).filename().string();
  PinnedVolume volume{e.grid, name, computed, std::nullopt, e.histogram};
  if (e.file.empty() && !computed) {
    volume.made_by = shown_ ? *shown_ : state();
    volume.label = volume_label(*volume.made_by);
  }
  if (e.kept > 0) kept_.emplace(e.kept, volume);
  status_.pinned = std::move(volume);
}

void Model::forget_pinned() {
  unpin();
  ViewState next = state();
  next.pinned.file.clear();
  next.pinned.kept = 0;
  history_.amend(std::move(next));
}

void Model::unpin() {
  status_.pinned.reset();
  status_.compared.reset();
  status_.registration_note.clear();
}

/// The map of thickness is A: shown over B, over the whole range of thickness.
void Model::take_thickness(const event::ThicknessFound& found) {
  status_.thickness = found;
  ViewState next = state();
  next.pinned = PinnedState{};
  next.pinned.kept = found.kept;
  next.pinned.map = "viridis";
  next.pinned.opacity = 0.9;
  next.pinned.high = found.largest;
  next.layout.compare = "overlay";
  edit(std::move(next), "wall thickness");
}

}  // namespace backlit::viewer

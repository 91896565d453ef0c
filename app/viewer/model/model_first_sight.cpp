// What is seen first of what was opened: method, colours, cut, crosshair, slices and camera.
#include <algorithm>
#include <cmath>
#include <utility>

#include <backlit/recon/default_method.hpp>
#include "model/model.hpp"

namespace backlit::viewer {
namespace {

/// Those options that are not the ones found.
CorrectionOptions without(const CorrectionOptions& options, CorrectionOptions found) {
  CorrectionOptions now = options, rest;
  const Parameters chosen = describe(now), theirs = describe(found);
  Parameters kept = describe(rest);
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (const std::string text = chosen[i].text(); text != theirs[i].text()) kept[i].set(text);
  return rest;
}

}  // namespace

/// PET is shown dark on light, as nuclear medicine does, unless colours were chosen.
void Model::choose_map() {
  const std::string usual = DisplayState{}.map, inverted = "gray-inverted", &now = state().display.map;
  const bool invert = list_mode() && now == usual, back = !list_mode() && map_inverted_ && now == inverted;
  map_inverted_ = invert || (list_mode() && map_inverted_);
  if (!invert && !back) return;
  ViewState next = state();
  next.display.map = invert ? inverted : usual;
  history_.amend(std::move(next));
}

/// A helix is reconstructed by its own method, unless another than the usual one was chosen. What is opened after it is
/// not.
void Model::choose_method() {
  const bool chosen = std::exchange(method_from_scan_, false);
  status_.method_note.clear();
  const auto* const filtered = state().recon.method.get<FilteredOptions>();
  if (restored_ || !filtered || !status_.source->has_views || status_.source->arriving) return;
  const std::string now = state().recon.method.name(), usual = Method().name();
  const DefaultMethod wanted = default_method(status_.source->scan, filtered->filter);
  if (now != usual && !(chosen && now == "hfdk")) return;
  method_from_scan_ = wanted.name != usual;
  if (method_from_scan_) status_.method_note = wanted.name + ", since " + wanted.from;
  if (wanted.name == now) return;
  ViewState next = state();
  set_method(next.recon, wanted.name);
  history_.amend(std::move(next));
}

/// The examples of heads are cut, so that their inside is seen. What is opened after them is not cut.
void Model::cut_example_head() {
  const RenderPlane cut{Vec3(0, 0, 20), Vec3(0.3, -0.2, 1)};
  const auto& clips = state().clips;
  const bool head = state().path == "demo:head" || state().path == "demo:shepp-logan";
  const bool is_cut = clips.size() == 1 && clips[0].point == cut.point && clips[0].normal == cut.normal;
  const bool wanted = head && clips.empty() && !look_chosen_, unwanted = !head && is_cut;
  if (!wanted && !unwanted) return;
  ViewState next = state();
  next.clips.clear();
  if (wanted) next.clips.push_back(cut);
  history_.amend(std::move(next));
}

void Model::look_into(const VolumeGrid& grid) {
  Turntable above;
  above.elevation = 55;  // degrees; a flat volume shows its face from here
  const Turntable plain, usual = is_flat(grid) ? above : plain, other = is_flat(grid) ? plain : above;
  if (state().camera == other) {
    ViewState next = state();
    next.camera = usual;
    history_.amend(std::move(next));
  }
  const Vec3& at = state().crosshair;
  if (glm::all(glm::greaterThanEqual(at, grid.lower())) && glm::all(glm::lessThanEqual(at, grid.upper()))) return;
  ViewState next = state();
  next.crosshair = grid.center;
  next.layout.slice_pan = Vec3(0);
  next.layout.own = {};
  history_.amend(std::move(next));
}

void Model::choose_window(bool final) {
  if (window_chosen_ || !status_.histogram || status_.histogram->sorted.empty()) return;
  ViewState next = state();
  next.display.low = status_.histogram->percentile(0.1);
  next.display.high = status_.histogram->bright();
  if (std::abs(next.display.low) < 1e-3 * next.display.high) next.display.low = 0;  // not 6.5e-06
  if (!(next.display.low < next.display.high)) return;
  // A surface of another file's values would show nothing.
  const double iso = next.display.iso;
  if (final && (iso < status_.histogram->low || iso > status_.histogram->high)) next.display.iso = 0;
  // A first picture of few views has another range of values than the finished volume.
  window_chosen_ = final;
  history_.amend(std::move(next));
}

void Model::look_at_object() {
  const Histogram& h = *status_.histogram;
  look_chosen_ = true;
  if (!std::isfinite(h.object_point.x)) return;
  ViewState next = state();
  const Vec3 object = glm::max(h.object_high - h.object_low, status_.grid.spacing),
             middle = 0.5 * (h.object_low + h.object_high), box = status_.grid.upper() - status_.grid.lower();
  if (value_at(next.crosshair) <= h.classes.object) next.crosshair = h.object_point;
  constexpr double margin = 0.8, worthwhile = 1.4, most = 8;
  // As slices fit their panes, see fitting_pixel().
  const double zoom = margin * std::min(std::max(box.x, box.y) / std::max(object.x, object.y),
                                        std::max(box.y, box.z) / std::max(object.y, object.z));
  if (zoom > worthwhile && next.layout.slice_zoom == 1 && next.layout.slice_pan == Vec3(0)) {
    next.layout.slice_zoom = std::min(zoom, most);
    next.layout.slice_pan = middle - status_.grid.center;
  }
  const Vec3 shown = glm::max(h.shown_high - h.shown_low, status_.grid.spacing);
  const double nearer = margin * glm::length(box) / glm::length(shown);
  if (nearer > worthwhile && next.camera.zoom == 1 && next.camera.offset == Vec3(0)) {
    next.camera.zoom = std::min(nearer, most);
    next.camera.offset = 0.5 * (h.shown_low + h.shown_high) - status_.grid.center;
  }
  history_.amend(std::move(next));
}

/// Geometry, corrections that were found, noise; and where one looks, unless A is compared with what comes.
void Model::leave_file(ViewState& next) const {
  next.geometry = GeometryState{};
  next.display.denoise = 0;
  if (status_.faults) next.recon.corrections = without(next.recon.corrections, status_.faults->options);
  if (status_.pinned) return;
  const ViewState fresh;
  next.crosshair = fresh.crosshair;
  next.camera = fresh.camera;
  next.layout.slice_zoom = fresh.layout.slice_zoom;
  next.layout.slice_pan = fresh.layout.slice_pan;
  next.layout.own = fresh.layout.own;
}

void Model::await_faults() {
  status_.faults.reset();
  faults_due_ = status_.source->raw && !restored_ && !status_.source->corrected_in_file &&
                state().recon.corrections == CorrectionOptions{};
  status_.faults_awaited = faults_due_;
}

void Model::look_for_faults() {
  if (!std::exchange(faults_due_, false)) return;
  if (state().recon.follow && state().recon.corrections == CorrectionOptions{})
    worker_.give(order::FindFaults{});
  else
    status_.faults_awaited = false;
}

void Model::use_faults(const event::FaultsFound& e) {
  faults_due_ = !e.found;
  if (!e.found) return;
  status_.faults_awaited = false;
  status_.faults = e.found;
  const CorrectionOptions none;
  if (e.found->options == none || !(state().recon.corrections == none)) return;
  ViewState next = state();
  next.recon.corrections = e.found->options;
  edit(std::move(next), "correct faults");
}

}  // namespace backlit::viewer

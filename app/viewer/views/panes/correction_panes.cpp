#include "views/panes/correction_panes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/sources/correction_preview.hpp"
#include "views/panes/projection_pane.hpp"
#include "views/panes/sinogram_pane.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

std::int64_t shown_view(const Frame& frame) {
  return std::clamp<std::int64_t>(frame.next.layout.view, 0, frame.status.source->scan.view_count() - 1);
}

}  // namespace

void CorrectionPanes::ask(Frame& frame, bool view) {
  const auto& source = frame.status.source;
  const std::int64_t at = shown_view(frame);
  const View& first = source->scan.views[static_cast<std::size_t>(at)];
  const std::int64_t number = view ? at : row_of(source->scan.detector, first, {0, 0, frame.next.crosshair.z});
  const CorrectionOptions& now = frame.next.recon.corrections;
  if (source == source_ && view == asked_view_ && number == asked_number_ && now == asked_) return;
  frame.model.request_preview(now, !view, number);
  source_ = source;
  asked_view_ = view;
  asked_number_ = number;
  asked_ = now;
}

void CorrectionPanes::load(Frame& frame) {
  map_ = frame.next.display.map;
  Plane removed = held_->before;
  for (std::size_t i = 0; i < removed.values.size(); ++i) removed.values[i] -= held_->after.values[i];
  window_ = percentile_window(held_->before.values, 0.5, 99.8);
  const Window apart = percentile_window(removed.values, 0.5, 99.5);
  const double most = std::max({std::abs(apart.low), std::abs(apart.high), 1e-6});
  removed_window_ = {-most, most};
  const std::array<const Plane*, 3> planes{&held_->before, &held_->after, &removed};
  for (std::size_t i = 0; i < 3; ++i) {
    PlaneTextures& picture = pictures_[i];
    picture.load(*planes[i]);
    frame.painter.color(picture.values, i == 2 ? removed_window_ : window_, i == 2 ? "difference" : map_,
                        picture.shown);
  }
}

void CorrectionPanes::draw_part(Frame& frame, const Rect& rect, int part) {
  constexpr std::array names{"Before", "After", "Removed"};
  const std::string name = names[static_cast<std::size_t>(part)];
  const PointerInput pointer = pane(name.c_str(), rect);
  if (asked_view_) browse_views(frame, pointer);
  if (!held_) return pane_title(rect, name, palette().label, "computing ...");
  const bool view = held_->part == PreviewPart::view;
  draw_texture(view ? fitted(rect, held_->before) : rect, pictures_[static_cast<std::size_t>(part)].shown, view);
  const std::string detail = part == 0   ? fmt::format("{} {}, {:.3g} to {:.3g}", view ? "view" : "row", held_->number,
                                                       window_.low, window_.high)
                             : part == 1 ? held_->done.empty() ? std::string("no correction is on") : held_->done
                                         : fmt::format("shown ± {:.3g}", removed_window_.high);
  pane_title(rect, name, part == 1 ? palette().first_label : palette().label, detail);
  note_text(name, detail);
}

void CorrectionPanes::draw(Frame& frame, const Rect& rect, bool view) {
  ask(frame, view);
  const auto& made = frame.status.correction_preview;
  if (made && (made != held_ || map_ != frame.next.display.map)) {
    held_ = made;
    load(frame);
  }
  if (!made) held_.reset();
  const float gap = 2 * frame.unit;
  for (int i = 0; i < 3; ++i) draw_part(frame, rect.column(i, 3, gap), i);
}

}  // namespace backlit::viewer

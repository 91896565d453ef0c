// Undo and redo.
#include <utility>

#include "model/model.hpp"

namespace backlit::viewer {

bool Model::undo() {
  const ViewState before = state();
  if (!history_.undo()) return false;
  keep_open(before);
  changed(before);
  return true;
}

/// Nothing is closed by undo: before the first file was opened there was neither path nor window.
void Model::keep_open(const ViewState& before) {
  ViewState next = state();
  if (next.path.empty() && next.watch.empty()) {
    next.path = before.path;
    next.watch = before.watch;
  }
  if (!(next.display.low < next.display.high)) {
    next.display.low = before.display.low;
    next.display.high = before.display.high;
  }
  history_.amend(std::move(next));
}

bool Model::redo() {
  const ViewState before = state();
  if (!history_.redo()) return false;
  keep_open(before);
  changed(before);
  return true;
}

}  // namespace backlit::viewer

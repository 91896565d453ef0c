#include "model/actions/history.hpp"

namespace backlit::viewer {

void History::edit(ViewState next, const std::string& name, Clock::time_point at) {
  const bool joins = !past_.empty() && open_ == name && (held_ || at - last_ < std::chrono::milliseconds(500));
  open_ = name;
  last_ = at;
  if (next == now_) return;
  if (!joins) {
    past_.push_back({now_, name});
    if (past_.size() > most_steps) past_.erase(past_.begin());
  }
  future_.clear();
  now_ = std::move(next);
}

bool History::undo() {
  if (past_.empty()) return false;
  future_.push_back({std::move(now_), past_.back().name});
  now_ = std::move(past_.back().state);
  past_.pop_back();
  open_.clear();
  return true;
}

bool History::redo() {
  if (future_.empty()) return false;
  past_.push_back({std::move(now_), future_.back().name});
  now_ = std::move(future_.back().state);
  future_.pop_back();
  open_.clear();
  return true;
}

}  // namespace backlit::viewer

// Undo and redo over whole states.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "model/state.hpp"

namespace backlit::viewer {

class History {
 public:
  using Clock = std::chrono::steady_clock;

  explicit History(ViewState start = {}) : now_(std::move(start)) {}
  const ViewState& now() const { return now_; }

  /// Adds an undo step `name` ("window"). Changes of the same name less than half a second apart join one step until
  /// end_drag(). While a mouse button is held, later changes join it too. An unchanged state adds no step.
  void edit(ViewState next, const std::string& name, Clock::time_point at = Clock::now());
  void hold() { held_ = true; }
  bool held() const { return held_; }
  void end_drag() {
    held_ = false;
    open_.clear();
  }
  /// Replaces the present state without an undo step: for changes by the program.
  void amend(ViewState next) { now_ = std::move(next); }

  bool undo();  ///< false when there is nothing to undo
  bool redo();
  std::string undo_name() const { return past_.empty() ? "" : past_.back().name; }
  std::string redo_name() const { return future_.empty() ? "" : future_.back().name; }

  static constexpr std::size_t most_steps = 200;

 private:
  struct Step {
    ViewState state;
    std::string name;
  };
  ViewState now_;
  std::vector<Step> past_, future_;
  std::string open_;  ///< name of the step that further changes join
  Clock::time_point last_{};
  bool held_ = false;
};

}  // namespace backlit::viewer

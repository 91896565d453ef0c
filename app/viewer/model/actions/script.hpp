// Scripts: a file of actions, one a line, run frame by frame.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace backlit::viewer {

/// Lines for parse_action(). Besides the table's actions:
///   wait done        until nothing runs or is about to run; wait picture: until a volume is shown;
///   wait SECONDS | wait frames N | wait until iterations_done >= 2
class Script {
 public:
  /// Reads and checks the whole file. Throws InputError("file:line", ...).
  explicit Script(const std::filesystem::path&);
  Script(const std::string& text, const std::string& name);

  /// Call it once a frame, after Model::update(): runs lines up to one that has to wait. False after the last line.
  /// Throws InputError("file:line", ...) for an action that fails, an expectation that is not met, or a wait of more
  /// than `patience` seconds. Also for any error of the worker that no line expected.
  bool step(Model&);
  /// Whether step() waits for something else than frames.
  bool waits_for_worker() const { return waiting_ && lines_[next_].action.arguments[0] != "frames"; }

  double patience = 600;
  bool stops_for_earlier_errors = true;  ///< errors of the worker before a line end the script

 private:
  struct Line {
    std::int64_t number;
    Action action;
  };
  using Clock = std::chrono::steady_clock;
  void parse(const std::string& text);
  bool waits(Model&, const Line&);
  std::string where(const Line& line) const;

  std::string name_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
  bool waiting_ = false;
  Clock::time_point since_{};
  std::int64_t frames_ = 0;
};

/// A number that scripts can compare. Counters: "views", "generation", "runs", "errors", "iterations_done". Flags:
/// "running", "paused", "pinned". "slices_live": slices computed directly from projections now. "value": at the
/// crosshair. "residual". "seconds": of the last run. "first_seconds": from the last opening until a volume was shown.
/// "rmse" and "ssim": of B against A, once requested. Or any numeric parameter of the state. Throws InputError.
double script_value(Model&, const std::string& name);
/// Whether "NAME RELATION VALUE [TOLERANCE]" holds, given as the action's arguments from `first` on. Throws InputError.
bool script_holds(Model&, const Action&, std::size_t first);

}  // namespace backlit::viewer

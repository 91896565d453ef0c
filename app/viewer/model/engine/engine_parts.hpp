// Shared by the source files of the engine.
#pragma once

#include <chrono>

#include "model/engine/engine.hpp"

namespace backlit::viewer {

inline double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Reports the progress of reading and preparing as events, at most twenty a second.
class Activity final : public Progress {
 public:
  explicit Activity(const std::function<void(Event)>& emit) : emit_(emit) {}
  ~Activity() override { emit_(event::Activity{}); }
  void begin(std::string_view stage, std::int64_t total, std::string_view unit) override {
    now_ = {std::string(stage), 0, total, std::string(unit)};
    report();
  }
  void advance(std::int64_t items) override {
    now_.done += items;
    if (seconds_since(reported_) > 0.05) report();
  }

 private:
  void report() {
    reported_ = std::chrono::steady_clock::now();
    emit_(now_);
  }
  const std::function<void(Event)>& emit_;
  event::Activity now_;
  std::chrono::steady_clock::time_point reported_{};
};

/// A reconstruction, in progress or finished.
struct Engine::RunState {
  order::Run order;
  Scan scan;
  Backend* backend = nullptr;
  std::unique_ptr<Reconstruction> reconstruction;
  VolumeGrid grid;
  Method method{};                          ///< of the order, with what it takes from the scan; not for a list
  SessionReport report;                     ///< the session's report at the time of planning
  const RunState* planned_after = nullptr;  ///< run during which it was planned, whose plan it may use; or null
  ListModeRun* list = nullptr;              ///< the reconstruction, if it is of list mode
  bool live = false;
  Clock::time_point start = Clock::now(), last_sample = Clock::now();
  std::int64_t views = 0, sampled_views = 0, published_views = 0;  ///< views visited; events for a list
  std::int64_t published_updates = 0;                              ///< for a list
  std::size_t residuals = 0;                                       ///< number of residuals reported
  double showing = 0, sampled_showing = 0;                         ///< seconds spent on showing the volume
  StageSeconds stages;                                             ///< times outside the reconstruction
  bool published = false, complete = false, taken_over = false;
  bool held_up = false;  ///< paused, stepped, or waited for views: its time is not representative
};

}  // namespace backlit::viewer

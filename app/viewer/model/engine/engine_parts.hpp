// What the files of the engine share.
#pragma once

#include <chrono>

#include "model/engine/engine.hpp"

namespace backlit::viewer {

inline double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// Progress of reading and preparing, as events, at most twenty a second.
class Activity final : public Progress {
 public:
  explicit Activity(const std::function<void(Event)>& emit) : emit_(emit) {}
  ~Activity() override { emit_(event::Activity{}); }
  void begin(std::string_view stage, std::int64_t total, std::string_view unit) override {
    now_ = {std::string(stage), 0, total, std::string(unit)};
    tell();
  }
  void advance(std::int64_t items) override {
    now_.done += items;
    if (seconds_since(told_) > 0.05) tell();
  }

 private:
  void tell() {
    told_ = std::chrono::steady_clock::now();
    emit_(now_);
  }
  const std::function<void(Event)>& emit_;
  event::Activity now_;
  std::chrono::steady_clock::time_point told_{};
};

/// A reconstruction, in progress or done.
struct Engine::RunState {
  order::Run order;
  Scan scan;
  Backend* backend = nullptr;
  std::unique_ptr<Reconstruction> reconstruction;
  VolumeGrid grid;
  SessionReport report;                     ///< of the session, when the run was planned
  const RunState* planned_after = nullptr;  ///< beside which it was planned, whose plan it may share; null: none
  ListModeRun* list = nullptr;              ///< the reconstruction, where it is one
  bool live = false;
  Clock::time_point start = Clock::now(), last_sample = Clock::now();
  std::int64_t views = 0, sampled_views = 0, published_views = 0;  ///< visited; of a list events
  std::int64_t published_updates = 0;                              ///< of a list's image
  std::size_t residuals = 0;                                       ///< told so far
  double showing = 0, sampled_showing = 0;                         ///< seconds
  StageSeconds stages;                                             ///< besides the reconstruction's own
  bool published = false, complete = false, taken_over = false;
  bool held_up = false;  ///< paused, stepped, or left waiting for views: its time is not its own
};

}  // namespace backlit::viewer

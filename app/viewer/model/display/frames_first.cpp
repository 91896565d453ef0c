#include "model/display/frames_first.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace backlit::viewer {

using Seconds = std::chrono::duration<double>;

void FramesFirst::wait() {
  Clock::time_point due;
  {
    const std::lock_guard lock(mutex_);
    due = end_ + std::chrono::duration_cast<Clock::duration>(std::min(rested_, Seconds(longest_wait)));
  }
  std::this_thread::sleep_until(due);
}

void FramesFirst::begin() {
  const std::lock_guard lock(mutex_);
  drawing_ = true;
  rested_ = Seconds(0);
}

void FramesFirst::end() {
  {
    const std::lock_guard lock(mutex_);
    drawing_ = false;
    end_ = Clock::now();
    if (std::exchange(resting_, false)) rested_ += end_ - rest_begin_;  // the worker may wake only after wait()
  }
  ended_.notify_all();
}

void FramesFirst::give_way() {
  std::unique_lock lock(mutex_);
  if (!drawing_ || rested_.count() >= longest_rest) return;
  resting_ = true;
  rest_begin_ = Clock::now();
  ended_.wait_for(lock, Seconds(longest_rest) - rested_, [this] { return !drawing_; });
  if (std::exchange(resting_, false)) rested_ += Clock::now() - rest_begin_;
}

}  // namespace backlit::viewer

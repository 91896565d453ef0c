#include "model/frames_first.hpp"

#include <algorithm>
#include <thread>

namespace backlit::viewer {

using Seconds = std::chrono::duration<double>;

void FramesFirst::begin() {
  std::unique_lock lock(mutex_);
  const auto due = end_ + std::chrono::duration_cast<Clock::duration>(std::min(rested_, Seconds(longest_wait)));
  lock.unlock();
  std::this_thread::sleep_until(due);
  lock.lock();
  drawing_ = true;
  rested_ = Seconds(0);
}

void FramesFirst::end() {
  {
    const std::lock_guard lock(mutex_);
    drawing_ = false;
    end_ = Clock::now();
  }
  ended_.notify_all();
}

void FramesFirst::give_way() {
  std::unique_lock lock(mutex_);
  if (!drawing_ || rested_.count() >= longest_rest) return;
  const auto start = Clock::now();
  ended_.wait_for(lock, Seconds(longest_rest) - rested_, [this] { return !drawing_; });
  rested_ += Clock::now() - start;
}

}  // namespace backlit::viewer

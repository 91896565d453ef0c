#include "model/frames_first.hpp"

#include <algorithm>

namespace backlit::viewer {

void FramesFirst::begin() {
  const std::lock_guard lock(mutex_);
  drawing_ = true;
}

void FramesFirst::end() {
  {
    const std::lock_guard lock(mutex_);
    drawing_ = false;
  }
  ended_.notify_all();
}

void FramesFirst::give_way() {
  std::unique_lock lock(mutex_);
  if (!drawing_) return;
  const std::chrono::duration<double> worked = Clock::now() - rested_;
  ended_.wait_for(lock, std::min(worked, std::chrono::duration<double>(longest)), [this] { return !drawing_; });
  rested_ = Clock::now();
}

}  // namespace backlit::viewer

#include "model/display/display_gate.hpp"

namespace backlit::viewer {

void DisplayGate::end(gl::Fence fence) {
  {
    const std::lock_guard lock(mutex_);
    if (!drawing_) return;
    drawing_ = false;
    last_drawn_ = generation_;
    fence_ = std::move(fence);
  }
  changed_.notify_all();
}

}  // namespace backlit::viewer

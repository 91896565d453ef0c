// Keeps publishing and drawing apart: a volume is not written to while a frame that reads it is being drawn.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "gl/handles.hpp"

namespace backlit::viewer {

/// Two textures take turns. The drawer may hold one generation at a time; the publisher, about to overwrite the
/// generation before the newest, waits for a drawer of that one, and lets the device wait for its commands.
class DisplayGate {
 public:
  /// The drawer begins with what front() gives, a thing with a `generation`; returns it.
  template <class Front>
  auto begin(Front&& front) {
    const std::lock_guard lock(mutex_);  // so that no publisher can pass between the look and the mark
    auto taken = front();
    drawing_ = true;
    generation_ = taken.generation;
    return taken;
  }
  /// ... and has given all its commands, up to `fence`, to its context.
  void end(gl::Fence fence);
  /// The publisher, with its context current: returns when generation `g` may be overwritten. `give_up` ends the wait
  /// (false) though it may not.
  template <class Stop>
  bool wait_to_overwrite(std::int64_t g, Stop&& give_up) {
    std::unique_lock lock(mutex_);
    while (drawing_ && generation_ <= g) {
      if (give_up()) return false;
      changed_.wait_for(lock, std::chrono::milliseconds(5));
    }
    if (last_drawn_ <= g) fence_.wait_on_device();
    return true;
  }
  /// Waits until a frame of generation `g` or a later one has been drawn. False when given up.
  template <class Stop>
  bool wait_until_drawn(std::int64_t g, Stop&& give_up) {
    std::unique_lock lock(mutex_);
    while (last_drawn_ < g) {
      if (give_up()) return false;
      changed_.wait_for(lock, std::chrono::milliseconds(5));
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool drawing_ = false;
  std::int64_t generation_ = 0, last_drawn_ = 0;
  gl::Fence fence_;
};

}  // namespace backlit::viewer

// Synchronizes publishing and drawing: a volume is not overwritten while a frame that reads it is being drawn.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "gl/handles.hpp"

namespace backlit::viewer {

/// There are two textures, used alternately. The drawing thread holds one generation at a time. Before the publisher
/// overwrites the generation before the newest, it waits for a frame that draws this generation. It then makes the
/// device wait for the commands of that frame.
class DisplayGate {
 public:
  /// Drawing thread: begins a frame and returns the result of front(), which has a `generation`.
  template <class Front>
  auto begin(Front&& front) {
    const std::lock_guard lock(mutex_);  // no publisher may run between reading and marking the generation
    auto taken = front();
    drawing_ = true;
    generation_ = taken.generation;
    return taken;
  }
  /// Drawing thread: ends the frame, after all its commands up to `fence` were given to its context.
  void end(gl::Fence fence);
  /// Publisher, with its context current: returns true when generation `g` may be overwritten. Returns false if
  /// `give_up` ends the wait before.
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
  /// Waits until a frame of generation `g` or later has been drawn. Returns false if `give_up` ends the wait.
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

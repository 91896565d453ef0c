// Frames before work, where a CPU draws: window and worker share its cores there, and whoever waits for a drawing waits
// for all that the other has handed over before.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace backlit::viewer {

class FramesFirst {
 public:
  /// Updates of voxels or rays that the worker hands over at once: some 10 ms of two cores, and a frame may have to
  /// wait for two such pieces.
  static constexpr double piece = 4e6;

  /// The window's thread, before and after it draws a frame.
  void begin();
  void end();
  /// The worker, between two pieces: returns when no frame is being drawn, or when it has rested for as long as it has
  /// worked since it rested last, so that frames without a pause leave it half of the time. At most `longest` seconds.
  void give_way();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double longest = 0.1;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool drawing_ = false;
  Clock::time_point rested_{};  ///< when the worker went on
};

}  // namespace backlit::viewer

// Frames before work, where a CPU draws: window and worker share its cores there, and whoever waits for a drawing waits
// for all that the other has handed over before.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace backlit::viewer {

/// The worker rests while a frame is being drawn, and the window waits before the next frame for as long as it has
/// rested, within limits: frames without a pause leave the worker the wait and what ends within a frame.
class FramesFirst {
 public:
  /// Updates of voxels or rays that the worker hands over at once: some 5 ms of two cores, and a frame may have to
  /// wait for two such pieces.
  static constexpr double piece = 1.5e6;
  /// Seconds that the worker rests for one frame, and that the window waits before one, at most.
  static constexpr double longest_rest = 0.1, longest_wait = 0.012;

  /// The window's thread, before it reads its inputs: until the worker has had what it is owed.
  void wait();
  /// The window's thread, before and after it draws a frame.
  void begin();
  void end();
  /// The worker, between two pieces: returns when no frame is being drawn, or when it has rested for long enough.
  void give_way();

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool drawing_ = false, resting_ = false;
  std::chrono::duration<double> rested_{0};  ///< for the frame at hand, or the last one
  Clock::time_point end_{}, rest_begin_{};   ///< of the last frame; of the rest at hand
};

}  // namespace backlit::viewer

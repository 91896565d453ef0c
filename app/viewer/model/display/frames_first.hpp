// Gives frames priority where OpenGL runs on the CPU. There the window and the worker share the cores, and each drawing
// waits for all commands submitted before it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace backlit::viewer {

/// The worker pauses while a frame is drawn. Before the next frame, the window waits for as long as the worker paused,
/// within limits. Thus a window that draws without a pause still leaves time for the worker.
class FramesFirst {
 public:
  /// Largest number of voxel or ray updates that the worker submits at once: some 5 ms on two cores. A frame may have
  /// to wait for two such pieces.
  static constexpr double piece = 1.5e6;
  /// Limits in seconds: how long the worker pauses for one frame, and how long the window waits before one.
  static constexpr double longest_rest = 0.1, longest_wait = 0.012;

  /// Window's thread, before it reads its inputs: waits to give the worker the time that it lost.
  void wait();
  /// Window's thread, before and after it draws a frame.
  void begin();
  void end();
  /// Worker, between two pieces: returns when no frame is being drawn, or when the limit of the pause is reached.
  void give_way();

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool drawing_ = false, resting_ = false;
  std::chrono::duration<double> rested_{0};  ///< pause of the worker in the present or the last frame
  Clock::time_point end_{}, rest_begin_{};   ///< end of the last frame; begin of the present pause
};

}  // namespace backlit::viewer

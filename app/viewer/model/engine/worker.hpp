// The engine on a thread of its own, with a context that shares objects with the window's. Orders go in, events come
// out; no call here waits for the engine.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <backlit/render/cut_plane.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "device/gl/gl_display_volume.hpp"
#include "model/display/display_gate.hpp"
#include "model/display/frames_first.hpp"
#include "model/engine/events.hpp"
#include "model/engine/orders.hpp"

namespace backlit::viewer {

/// Makes a context that is current on the calling thread and shares objects with the window's.
using ContextFactory = std::function<std::shared_ptr<gl::Context>()>;

struct WorkerOptions {
  ContextFactory make_context;
  std::function<void()> wake{};   ///< called on the worker's thread when there are new events
  std::int64_t memory_bytes = 0;  ///< budget on the device; 0: what there is
};

class Worker {
 public:
  /// Starts the thread and waits until its context is there; throws what making it threw.
  explicit Worker(WorkerOptions);
  /// Cancels what is running and joins.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Gives an order. Orders are taken one after another, but Stop and Pause at once, between two work items of 20 ms;
  /// of Run, Oblique, D2vr and Compare the latest replaces those that have not begun; a Run begins when
  /// it is planned, which may be beside the last.
  void give(Order);
  /// Events since the last call, in order.
  std::vector<Event> take_events();
  /// Whether nothing is running or waiting.
  bool idle() const;

  /// The volume shown, for the window's thread: what the front points to stays as it is until end_frame().
  gl::GlDisplayVolume::Front begin_frame();
  /// The volume that was pinned, likewise.
  gl::GlDisplayVolume::Front begin_pinned();
  /// After the last command that reads it; puts a fence behind them in the current context.
  void end_frame();
  /// The window's thread begins to draw, whether or not it shows a volume, until end(): see FramesFirst.
  FramesFirst& frames_first();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace backlit::viewer

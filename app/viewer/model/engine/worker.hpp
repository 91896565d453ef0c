// Runs the engine on its own thread, with a context that shares objects with the window's. Orders go in, events come
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
  std::int64_t memory_bytes = 0;  ///< limit of device memory; 0: all available
};

class Worker {
 public:
  /// Starts the thread and waits until its context exists; throws the error of making it.
  explicit Worker(WorkerOptions);
  /// Cancels the work in progress and joins the thread.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Gives an order. Orders run one after another, but control orders run first, between two work items of 20 ms. A new
  /// Run, Slices, Centers, Oblique, D2vr, Compare, ShowSegment or Sinogram replaces waiting orders of its kind. Open,
  /// Watch and Cancel also cancel the work in progress and drop waiting orders; after Cancel, what panes asked for is
  /// still made. A Run may be planned during the last run.
  void give(Order);
  /// Ends a calibration at work, or drops one that waits; a run goes on.
  void cancel_calibration();
  /// Events since the last call, in order.
  std::vector<Event> take_events();
  /// Whether no work runs or waits.
  bool idle() const;

  /// The volume shown, for the window's thread; it is not changed until end_frame().
  gl::GlDisplayVolume::Front begin_frame();
  /// The pinned volume; it is not changed until end_frame().
  gl::GlDisplayVolume::Front begin_pinned();
  /// The field of the segment; it is not changed until end_frame().
  gl::GlDisplayVolume::Front begin_segment();
  /// Call it after the last command that reads the volumes; puts a fence behind them in the current context.
  void end_frame();
  /// The window's thread calls begin() and end() around each frame, with or without a volume: see FramesFirst.
  FramesFirst& frames_first();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace backlit::viewer

// Where frames are shown and input comes from: a window, or nothing at all for machines without a display.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gl/context.hpp"
#include "gl/handles.hpp"

namespace backlit::viewer {

/// A context for a worker, made current on the thread that calls. To be called once.
using WorkerContext = std::function<std::shared_ptr<gl::Context>()>;

struct SurfaceOptions {
  std::int64_t width = 1400, height = 900;  ///< px
  bool offscreen = false;                   ///< no window and no display server: EGL
  std::string serve;                        ///< "[ADDRESS:]PORT": no window, but a page for browsers; empty: none
  float scale = 0;                          ///< see Surface::scale(); 0: as the screen says
  bool debug = false;                       ///< debug contexts
};

/// Belongs to the thread that made it; its context is current there.
class Surface {
 public:
  virtual ~Surface() = default;

  virtual const std::shared_ptr<gl::Context>& context() const = 0;
  virtual WorkerContext worker_context() = 0;

  /// px of the frame; zero while the window is hidden.
  virtual std::array<std::int64_t, 2> size() const = 0;
  virtual void resize(std::int64_t width, std::int64_t height) = 0;
  /// How much larger than at 96 dots an inch things are to be drawn.
  virtual float scale() const = 0;

  /// Takes in events. With `patience` > 0 sleeps until there are any, or a waker is called, that many seconds at most.
  /// True when there was something.
  virtual bool poll(double patience) = 0;
  /// Ends a poll() on another thread.
  virtual std::function<void()> waker() const = 0;
  virtual bool closed() const = 0;
  /// All of the screen, or as it was; nothing off screen.
  virtual void toggle_fullscreen() {}
  virtual void set_title(const std::string&) = 0;
  /// Files dropped since the last call.
  virtual std::vector<std::string> take_dropped() = 0;

  /// Tells ImGui of the frame's size; with `hands` also of mouse, keyboard and the time that has passed, else a
  /// sixtieth of a second has.
  virtual void begin_frame(bool hands) = 0;
  /// ImGui's context is about to go: lets go of what begin_frame() hung into it.
  virtual void leave_gui() {}
  /// Shows a finished frame of size().
  virtual void show(const gl::Texture& frame) = 0;
};

/// Throws Failure saying what is missing.
std::unique_ptr<Surface> make_surface(const SurfaceOptions&);
std::unique_ptr<Surface> make_window(const SurfaceOptions&);
std::unique_ptr<Surface> make_offscreen(const SurfaceOptions&);
/// Throws InputError where the address is none, or cannot be had, or the program was built without.
std::unique_ptr<Surface> make_served(const SurfaceOptions&);

}  // namespace backlit::viewer

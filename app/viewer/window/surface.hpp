// Output of frames and source of input: a window, a browser, or nothing on machines without a display.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <backlit/core/error.hpp>
#include "gl/context.hpp"
#include "gl/handles.hpp"

namespace backlit::viewer {

/// Makes a context for a worker, current on the calling thread. Call it once.
using WorkerContext = std::function<std::shared_ptr<gl::Context>()>;

struct SurfaceOptions {
  std::int64_t width = 1400, height = 900;  ///< px
  bool offscreen = false;                   ///< no window and no display server: EGL
  std::string serve;                        ///< "[ADDRESS:]PORT": a page for browsers in place of a window; empty: none
  float scale = 0;                          ///< see Surface::scale(); 0: the screen's scale
  bool debug = false;                       ///< debug contexts
};

/// Use it on the thread that made it; its context is current there.
class Surface {
 public:
  virtual ~Surface() = default;

  virtual const std::shared_ptr<gl::Context>& context() const = 0;
  virtual WorkerContext worker_context() = 0;

  /// px of the frame; zero while the window is hidden.
  virtual std::array<std::int64_t, 2> size() const = 0;
  virtual void resize(std::int64_t width, std::int64_t height) = 0;
  /// Scale of the layout relative to 96 dots an inch.
  virtual float scale() const = 0;

  /// Takes events. With `patience` > 0, sleeps at most that many seconds until an event arrives or a waker is called.
  /// True if there was an event.
  virtual bool poll(double patience) = 0;
  /// A function that ends poll() from another thread.
  virtual std::function<void()> waker() const = 0;
  virtual bool closed() const = 0;
  /// Takes the wish to close back; false where that cannot be.
  virtual bool keep_open() { return false; }
  /// Switches between full screen and window; does nothing off screen.
  virtual void toggle_fullscreen() {}
  /// Shows a page in the desktop's program for it. Throws InputError that names the page where there is no desktop.
  virtual void open_page(const std::filesystem::path& page) {
    throw InputError("manual", page.empty() ? "is not on this computer" : "there is no desktop to show it",
                     page.empty() ? "see docs/viewer.md of the sources" : "open " + page.string());
  }
  virtual void set_title(const std::string&) = 0;
  /// Files dropped since the last call.
  virtual std::vector<std::string> take_dropped() = 0;

  /// Sets ImGui's frame size. With `input`, also sets mouse, keyboard and the time passed; otherwise the time is 1/60
  /// s.
  virtual void begin_frame(bool input) = 0;
  /// Called before ImGui's context is destroyed: releases the data that begin_frame() attached to it.
  virtual void leave_gui() {}
  /// Whether frames are needed although nobody looks.
  virtual void draw_unseen(bool) {}
  /// Shows a finished frame of size().
  virtual void show(const gl::Texture& frame) = 0;
};

/// Throws Failure that names the missing part.
std::unique_ptr<Surface> make_surface(const SurfaceOptions&);
std::unique_ptr<Surface> make_window(const SurfaceOptions&);
std::unique_ptr<Surface> make_offscreen(const SurfaceOptions&);
/// Throws InputError if the address is invalid or not available, or the build has no server.
std::unique_ptr<Surface> make_served(const SurfaceOptions&);

}  // namespace backlit::viewer

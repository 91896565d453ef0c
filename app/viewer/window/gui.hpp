// Dear ImGui for our frames: its context, its fonts, and its target texture.
#pragma once

#include <functional>
#include <string>

#include "gl/handles.hpp"
#include "window/surface.hpp"

namespace backlit::viewer {

class Gui {
 public:
  explicit Gui(Surface&);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Sets theme and font size, which may change between frames. `zoom` multiplies the surface's own scale.
  void set_look(const std::string& theme, float zoom);
  /// False if there is nothing to draw on; the frame is then skipped. `input`: see Surface::begin_frame().
  /// `before_new`: called after the surface's begin_frame() and before ImGui::NewFrame().
  bool begin_frame(bool input, const std::function<void()>& before_new = {});
  /// Draws the widgets built since begin_frame() and shows the frame.
  void end_frame();

  /// The last frame; row 0 at the bottom.
  const gl::Texture& frame() const { return frame_; }
  /// px of one unit of the layout.
  float unit() const { return unit_; }

 private:
  Surface& surface_;
  std::string theme_;
  float unit_ = 0;
  gl::Texture frame_;
  gl::Framebuffer framebuffer_;
};

}  // namespace backlit::viewer

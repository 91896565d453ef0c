// Dear ImGui on our frames: its context, its fonts, and the texture that it draws into.
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

  /// Theme and font size, which may change between frames. `zoom` comes on top of the surface's own scale.
  void set_look(const std::string& theme, float zoom);
  /// False when there is nothing to draw on; then the frame is left out. `hands`: see Surface::begin_frame.
  /// `before_new`: called when the surface has told ImGui of its hands, before ImGui looks at them.
  bool begin_frame(bool hands, const std::function<void()>& before_new = {});
  /// Draws what was built since begin_frame and shows it.
  void end_frame();

  /// The last frame; row 0 at the bottom.
  const gl::Texture& frame() const { return frame_; }
  /// px that one unit of the layout takes.
  float unit() const { return unit_; }

 private:
  Surface& surface_;
  std::string theme_;
  float unit_ = 0;
  gl::Texture frame_;
  gl::Framebuffer framebuffer_;
};

}  // namespace backlit::viewer

// State for passes that add up what they draw.
#pragma once

#include "gl/opengl.hpp"

namespace backlit::gl {

/// While it lives, fragments are added to the target (or replace it) and no test discards them. Afterwards nothing is
/// bound.
class DrawState {
 public:
  enum class Mode { add, replace };
  explicit DrawState(Mode mode) {
    for (GLenum test : {GL_BLEND, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_CULL_FACE}) glDisable(test);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    set(mode);
  }
  ~DrawState() {
    glDisable(GL_BLEND);
    glBindSampler(0, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  }
  DrawState(const DrawState&) = delete;
  DrawState& operator=(const DrawState&) = delete;

  void set(Mode mode) { mode == Mode::add ? glEnable(GL_BLEND) : glDisable(GL_BLEND); }
};

}  // namespace backlit::gl

// Draw state for passes that sum what they draw.
#pragma once

#include "gl/opengl.hpp"

namespace backlit::gl {

/// While it lives, fragments are added to the target, replace its content, or go under its content: colour is emission,
/// alpha is transparency. No test discards fragments. Afterwards no framebuffer and no sampler 0 is bound.
class DrawState {
 public:
  enum class Mode { add, replace, under };
  explicit DrawState(Mode mode) {
    for (GLenum test : {GL_BLEND, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_CULL_FACE}) glDisable(test);
    glBlendEquation(GL_FUNC_ADD);
    set(mode);
  }
  ~DrawState() {
    glDisable(GL_BLEND);
    glBindSampler(0, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  }
  DrawState(const DrawState&) = delete;
  DrawState& operator=(const DrawState&) = delete;

  void set(Mode mode) {
    if (mode == Mode::under)
      glBlendFuncSeparate(GL_DST_ALPHA, GL_ONE, GL_ZERO, GL_SRC_ALPHA);
    else
      glBlendFunc(GL_ONE, GL_ONE);
    mode == Mode::replace ? glDisable(GL_BLEND) : glEnable(GL_BLEND);
  }
};

}  // namespace backlit::gl

// EGL displays of this machine for contexts without a window, best first.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>
#include <vector>

#include "gl/context.hpp"

namespace backlit::gl {

struct DisplayCandidate {
  EGLDisplay display = EGL_NO_DISPLAY;  ///< not initialised
  std::string name;                     ///< for messages: "EGL device 0 (...)"
};

/// Devices (hardware before software), then surfaceless Mesa. When the options name a device, that device only. Throws
/// InputError when it does not exist.
std::vector<DisplayCandidate> display_candidates(const ContextOptions&);

}  // namespace backlit::gl

// Which EGL displays of this machine can carry a context without a window, best first.
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

/// Devices (hardware before software), then surfaceless Mesa; only the one asked for when options name a device.
/// Throws InputError when that one does not exist.
std::vector<DisplayCandidate> display_candidates(const ContextOptions&);

}  // namespace backlit::gl

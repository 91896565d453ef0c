// The OpenGL backend: textures, vertex and fragment shaders, compute for vector operations.
#pragma once

#include <memory>

#include <backlit/device/backend.hpp>

namespace backlit {

/// The backend has its own context, without a window. BackendOptions::device counts EGL devices (0: the best one).
/// BACKLIT_GL_DEBUG in the environment makes it a debug context. Throws Failure where OpenGL 4.5 is not available.
std::unique_ptr<Backend> make_gl_backend(const BackendOptions& = {});

}  // namespace backlit

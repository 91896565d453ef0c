// OpenGL on the card that CUDA computes on, so that the two can share textures.
#pragma once

#include <backlit/core/error.hpp>
#include "gl/context.hpp"

namespace backlit::gl {

/// A context on the EGL device of CUDA device `cuda` (EGL attribute EGL_CUDA_DEVICE_NV). Where that fails, a context on
/// the first device that works.
inline std::shared_ptr<Context> create_beside_cuda(int cuda, ContextOptions options = {}) {
  options.cuda_device = cuda;
  try {
    return Context::create(options);
  } catch (const Error&) {
    options.cuda_device.reset();
  }
  return Context::create(options);
}

}  // namespace backlit::gl

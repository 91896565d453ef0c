#include "gl/debug.hpp"

#include <fmt/format.h>

#include <utility>

#include <backlit/core/error.hpp>
#include "gl/opengl.hpp"
#include "gl/require_device.hpp"

namespace backlit::gl {
namespace {

void GLAPIENTRY on_message(GLenum, GLenum type, GLuint, GLenum, GLsizei length, const GLchar* text, const void* log) {
  if (type != GL_DEBUG_TYPE_ERROR) return;
  std::string message = length < 0 ? std::string(text) : std::string(text, static_cast<std::size_t>(length));
  static_cast<DebugLog*>(const_cast<void*>(log))->record(std::move(message));
}

const char* error_name(GLenum code) {
  switch (code) {
    case GL_INVALID_ENUM:
      return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
      return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
      return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
      return "GL_OUT_OF_MEMORY";
    default:
      return "unknown OpenGL error";
  }
}

}  // namespace

void DebugLog::install() {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);  // so that the callback runs on the caller's stack
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, nullptr, GL_FALSE);
  glDebugMessageCallback(on_message, this);
}

std::vector<std::string> DebugLog::take() {
  // A lost context returns errors forever: do not wait for GL_NO_ERROR.
  for (int i = 0; i < 16; ++i) {
    const GLenum code = glGetError();
    if (code == GL_NO_ERROR) break;
    require_device(code);
    errors_.emplace_back(error_name(code));
  }
  return std::exchange(errors_, {});
}

void DebugLog::check(const char* where) {
  const auto errors = take();
  if (errors.empty()) return;
  const std::string more = errors.size() > 1 ? fmt::format(" (and {} more)", errors.size() - 1) : "";
  throw Failure(where, "OpenGL: " + errors.front() + more);
}

}  // namespace backlit::gl

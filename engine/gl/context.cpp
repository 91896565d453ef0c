#include "gl/context.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include "gl/egl_display.hpp"
#include "gl/opengl.hpp"

namespace backlit::gl {

namespace {

/// The process that made contexts; 0: none yet. Drivers' threads do not follow into a forked process, which would wait
/// for them for ever.
std::atomic<pid_t> owner{0};

bool forked() { return owner != 0 && owner != getpid(); }

void refuse_if_forked() {
  if (forked())
    throw Failure("OpenGL", "gl was in use before this process was forked, and cannot be used in both",
                  "start processes by spawn, or make the first call after the fork");
}

}  // namespace

struct Context::Egl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  ~Egl() {
    // The display belongs to the whole process and other contexts may use it: never terminate it.
    if (context == EGL_NO_CONTEXT || forked()) return;
    if (eglGetCurrentContext() == context) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }

  bool make_current() { return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE; }
};

namespace {

constexpr const char* remedy = "install libgl1-mesa-dri and libegl1 (software rendering), or the graphics driver";

/// A context on `display`, or none; it shares the objects of `share` unless that is none.
EGLContext make_context(EGLDisplay display, bool debug, EGLContext share) {
  if (!eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
  const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint configs = 0;
  // Without a config, which EGL_KHR_no_config_context allows: there is no surface whose format it could describe.
  if (!eglChooseConfig(display, config_attributes, &config, 1, &configs) || configs == 0) config = nullptr;
  std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION,       4,
                                 EGL_CONTEXT_MINOR_VERSION,       5,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,        debug ? EGL_TRUE : EGL_FALSE};
  const auto create = [&] {
    attributes.push_back(EGL_NONE);
    return eglCreateContext(display, config, share, attributes.data());
  };
  const std::size_t plain = attributes.size();
  attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET});
  if (const EGLContext reporting_resets = create(); reporting_resets != EGL_NO_CONTEXT) return reporting_resets;
  attributes.resize(plain);
  return create();
}

/// Mesa's software rasterizer crashes when it cannot allocate memory.
void require_address_space() {
  constexpr rlim_t needed = rlim_t{3} << 29;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < needed)
    throw Failure("OpenGL",
                  fmt::format("the process may use {} of address space, and drivers need {}",
                              byte_size_text(static_cast<std::int64_t>(limit.rlim_cur)),
                              byte_size_text(static_cast<std::int64_t>(needed))),
                  "raise the limit (ulimit -v), or use the backend cpu");
}

std::string gl_string(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : "";
}

}  // namespace

Context::Context(std::unique_ptr<Egl> egl, bool debug) : egl_(std::move(egl)) {
  // Debian's GLEW asks GLX for a display after it has loaded every core function, and returns an error under EGL.
  glewExperimental = GL_TRUE;
  const GLenum status = glewInit();
  if (status != GLEW_OK && status != GLEW_ERROR_NO_GLX_DISPLAY)
    throw Failure("OpenGL", "its functions cannot be loaded", "is a context current on this thread?");
  if (!GLEW_VERSION_4_5)
    throw Failure("OpenGL", fmt::format("version 4.5 is needed, this is {}", gl_string(GL_VERSION)), remedy);
  renderer_ = gl_string(GL_RENDERER);
  version_ = gl_string(GL_VERSION);
  limits_ = query_limits();
  if (debug) debug_.install();
  for (int old = 0; old < 16 && glGetError() != GL_NO_ERROR; ++old) continue;  // a lost device returns errors forever
}

std::shared_ptr<Context> Context::create_on(void* display, const ContextOptions& options) {
  auto egl = std::make_unique<Egl>();
  egl->display = display;
  egl->context = make_context(display, options.debug, options.share ? options.share->egl_->context : EGL_NO_CONTEXT);
  if (egl->context == EGL_NO_CONTEXT || !egl->make_current()) return nullptr;
  owner = getpid();
  return std::shared_ptr<Context>(new Context(std::move(egl), options.debug));
}

std::shared_ptr<Context> Context::create(const ContextOptions& options) {
  require_address_space();
  refuse_if_forked();
  if (options.share) {
    if (!options.share->egl_) throw Failure("OpenGL", "a window's context can only be shared by its window system");
    if (auto context = create_on(options.share->egl_->display, options)) return context;
    throw Failure("OpenGL", "no context that shares another's objects", remedy);
  }
  std::string tried;
  for (const auto& candidate : display_candidates(options)) {
    if (auto context = create_on(candidate.display, options)) return context;
    tried += (tried.empty() ? "" : ", ") + candidate.name;
  }
  throw Failure("OpenGL",
                "no context of version 4.5 without a window" + (tried.empty() ? "" : " (tried " + tried + ")"), remedy);
}

std::shared_ptr<Context> Context::adopt(bool debug) { return std::shared_ptr<Context>(new Context(nullptr, debug)); }

Context::~Context() {
  if (waits_ > 0 && !forked()) make_current_or_none();  // for the fence
}

void Context::pace(double updates) {
  updates_ += updates;
  if (updates_ < (between_ ? 0.5 * most_updates_ : most_updates_)) return;  // small passes together form one piece
  largest_piece_ = std::max(largest_piece_, updates_);
  earlier_.wait();
  earlier_ = Fence::here();
  updates_ = 0;
  ++waits_;
  if (between_) between_();
}

void Context::cut_passes(double updates, std::function<void()> between) {
  most_updates_ = updates;
  between_ = std::move(between);
  updates_ = largest_piece_ = 0;
}

std::int64_t Context::piece(std::int64_t parts, double updates) const {
  if (!between_ || static_cast<double>(parts) * updates <= most_updates_) return parts;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(most_updates_ / updates));
}

void Context::make_current_or_none() noexcept {
  if (!egl_ || forked() || eglGetCurrentContext() == egl_->context || egl_->make_current()) return;
  eglMakeCurrent(egl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

void Context::make_current() {
  if (!egl_) return;
  refuse_if_forked();
  if (eglGetCurrentContext() == egl_->context) return;
  if (!egl_->make_current()) throw DeviceFailure("OpenGL", "the context cannot be made current on this thread");
}

}  // namespace backlit::gl

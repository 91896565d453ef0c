#include "study/probes/device_counts.hpp"

#include <chrono>
#include <optional>

#include "device/gl/gl_backend_class.hpp"

namespace backlit {
namespace {

/// A counter of the pipeline, if the driver has it. Mesa does not know these counters in glCreateQueries.
class PipelineCounter {
 public:
  explicit PipelineCounter(GLenum what) : what_(what) {
    glGenQueries(1, &id_);
    glBeginQuery(what_, id_);
  }
  ~PipelineCounter() { glDeleteQueries(1, &id_); }
  PipelineCounter(const PipelineCounter&) = delete;
  PipelineCounter& operator=(const PipelineCounter&) = delete;

  double read() {
    GLuint64 count = 0;
    glEndQuery(what_);
    glGetQueryObjectui64v(id_, GL_QUERY_RESULT, &count);
    return static_cast<double>(count);
  }

 private:
  GLenum what_;
  GLuint id_ = 0;
};

/// Whether a pass draws. Passes that pack, unpack or mark are not part of the operation itself.
bool draws(const std::string& pass) {
  return pass.find("project") != std::string::npos && pass.find("pack") == std::string::npos;
}

}  // namespace

DeviceCounts count_run(Backend& backend, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  auto* gl = dynamic_cast<gl::GlBackend*>(&backend.innermost());
  std::optional<PipelineCounter> fragments, invocations;
  backend.finish();
  backend.time_passes(true);
  if (gl && GLEW_ARB_pipeline_statistics_query) {
    fragments.emplace(GL_FRAGMENT_SHADER_INVOCATIONS_ARB);
    invocations.emplace(GL_COMPUTE_SHADER_INVOCATIONS_ARB);
  }
  DeviceCounts counts;
  const auto start = Clock::now();
  work();
  backend.finish();
  counts.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (fragments) {
    counts.fragments = fragments->read();
    counts.invocations = invocations->read();
  }
  for (const auto& [pass, time] : backend.pass_times()) {
    counts.passes += time.calls;
    if (draws(pass)) counts.drawn_passes += time.calls;
    counts.device_seconds += time.seconds;
  }
  backend.time_passes(false);
  // llvmpipe runs asynchronously: its time stamps are meaningless.
  if (gl && gl->context().limits().software) counts.device_seconds = 0;
  return counts;
}

}  // namespace backlit

#include "model/engine/backends.hpp"

#include "device/gl/gl_backend_class.hpp"
#include "large/large_backend.hpp"

namespace backlit::viewer {

std::unique_ptr<Backend> make_viewer_backend(const std::string& name, const std::shared_ptr<gl::Context>& context,
                                             std::int64_t memory_bytes) {
  if (name == "gl")
    return std::make_unique<LargeBackend>(std::make_unique<gl::GlBackend>(context, memory_bytes), memory_bytes);
  BackendOptions options;
  options.memory_bytes = memory_bytes;
  return make_backend(name, options);
}

}  // namespace backlit::viewer

#include <backlit/device/gl/compute_pass.hpp>

#include <fstream>
#include <iterator>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"

namespace backlit::gl {
namespace {

GlBackend& require_gl(Backend& backend) {
  if (!dynamic_cast<GlBackend*>(&backend))
    throw Unsupported("compute pass", "its backend is " + backend.name(), "give the gl backend's innermost()");
  return current_gl(backend);
}

/// Files beside `file` come before the engine's own.
ShaderReader reader_beside(const std::filesystem::path& file) {
  return [folder = file.parent_path()](const std::string& name) -> std::optional<std::string> {
    std::ifstream in(folder / name, std::ios::binary);
    if (!in) return read_shader(name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
}

template <class Array>
auto& only_texture(Array& array) {
  auto& textures = as_gl(array).textures();
  if (textures.size() != 1)
    throw Unsupported("compute pass", "the array has more layers than a texture may have", "give fewer at a time");
  return textures.front();
}

}  // namespace

struct ComputePass::State {
  State(GlBackend& of, const std::filesystem::path& file)
      : backend(of), name(file.filename().string()), program(name, {name}, {}, {}, reader_beside(file)) {
    glGetProgramiv(program.id(), GL_COMPUTE_WORK_GROUP_SIZE, group);
  }

  GlBackend& backend;
  std::string name;
  Program program;
  GLint group[3] = {1, 1, 1};
};

ComputePass::ComputePass(Backend& backend, const std::filesystem::path& file)
    : state_(std::make_unique<State>(require_gl(backend), file)) {}

ComputePass::~ComputePass() {
  if (state_) state_->backend.context().make_current_or_none();
}

ComputePass::ComputePass(ComputePass&&) noexcept = default;
ComputePass& ComputePass::operator=(ComputePass&&) noexcept = default;

void ComputePass::set(const char* uniform, int value) { state_->program.set(uniform, value); }
void ComputePass::set(const char* uniform, float value) { state_->program.set(uniform, value); }
void ComputePass::set(const char* uniform, const Vec3& v) {
  state_->program.set(uniform, static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
}

void ComputePass::read(int unit, const DeviceArray& array) { only_texture(array).bind(static_cast<GLuint>(unit)); }
void ComputePass::write(int unit, DeviceArray& array) {
  only_texture(array).bind_image(static_cast<GLuint>(unit), GL_READ_WRITE);
}

void ComputePass::run(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  const Pass pass(state_->backend.timings(), state_->name.c_str());
  state_->program.use();
  glDispatchCompute(groups(nx, state_->group[0]), groups(ny, state_->group[1]), groups(nz, state_->group[2]));
  glMemoryBarrier(everything_that_reads);
}

}  // namespace backlit::gl

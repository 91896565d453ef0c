#include "gl/handles.hpp"

#include <fmt/format.h>

#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include "gl/require_device.hpp"

namespace backlit::gl {
namespace {

template <class Create>
GLuint make(Create create) {
  GLuint id = 0;
  create(1, &id);
  return id;
}

GLuint make_texture(GLenum target) {
  GLuint id = 0;
  glCreateTextures(target, 1, &id);
  return id;
}

/// A texture view needs a name that no glCreate* call has given a target yet.
GLuint make_view(GLuint whole, GLenum format, std::int64_t first, std::int64_t count) {
  GLuint id = 0;
  glGenTextures(1, &id);
  glTextureView(id, GL_TEXTURE_2D_ARRAY, whole, format, 0, 1, static_cast<GLuint>(first), static_cast<GLuint>(count));
  return id;
}

GLuint make_query(GLenum target) {
  GLuint id = 0;
  glCreateQueries(target, 1, &id);
  return id;
}

void throw_if_out_of_memory(const std::string& label, double bytes) {
  if (glGetError() == GL_OUT_OF_MEMORY)
    throw DeviceFailure("OpenGL", fmt::format("no room on the device for {:.1f} MiB ({})", bytes / (1 << 20), label),
                        "ask for a smaller volume or fewer views");
}

}  // namespace

Texture::Texture(const std::string& label, GLenum target, GLenum format, std::int64_t width, std::int64_t height,
                 std::int64_t depth)
    : Handle(make_texture(target), GL_TEXTURE, label),
      format_(format),
      width_(width),
      height_(height),
      depth_(depth),
      storage_(id()) {
  const auto w = static_cast<GLsizei>(width), h = static_cast<GLsizei>(height), d = static_cast<GLsizei>(depth);
  if (target == GL_TEXTURE_2D)
    glTextureStorage2D(id(), 1, format, w, h);
  else
    glTextureStorage3D(id(), 1, format, w, h, d);
  throw_if_out_of_memory(label,
                         4.0 * static_cast<double>(width) * static_cast<double>(height) * static_cast<double>(depth));
  // Integers cannot be filtered: with the default filter their texture is incomplete, and fetches may give zeros.
  GLint kind = 0;
  glGetTextureLevelParameteriv(id(), 0, GL_TEXTURE_RED_TYPE, &kind);
  if (kind != GL_INT && kind != GL_UNSIGNED_INT) return;
  glTextureParameteri(id(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

Texture::Texture(const std::string& label, const Texture& whole, std::int64_t first, std::int64_t count)
    : Handle(make_view(whole.id(), whole.format_, first, count), GL_TEXTURE, label),
      format_(whole.format_),
      width_(whole.width_),
      height_(whole.height_),
      depth_(count),
      storage_(whole.storage_),
      storage_layer_(whole.storage_layer_ + first) {}

// Passes four components for every format: components left out are not zero (alpha is 1).
void Texture::clear(float value) {
  if (storage_ != id()) return clear_layers(value, 0, depth_);
  const float all[] = {value, value, value, value};
  glClearTexImage(id(), 0, GL_RGBA, GL_FLOAT, all);
}

void Texture::clear_layers(float value, std::int64_t first, std::int64_t count) {
  const float all[] = {value, value, value, value};
  glClearTexSubImage(storage_, 0, 0, 0, static_cast<GLint>(storage_layer_ + first), static_cast<GLsizei>(width_),
                     static_cast<GLsizei>(height_), static_cast<GLsizei>(count), GL_RGBA, GL_FLOAT, all);
}

void Texture::bind_image(GLuint unit, GLenum access) const {
  glBindImageTexture(unit, id(), 0, GL_TRUE, 0, access, format_);
}

Sampler::Sampler(const std::string& label, GLenum filter, GLint wrap)
    : Handle(make(glCreateSamplers), GL_SAMPLER, label) {
  const float zero[4] = {0, 0, 0, 0};
  const auto mode = static_cast<GLint>(filter);
  glSamplerParameteri(id(), GL_TEXTURE_MIN_FILTER, mode);
  glSamplerParameteri(id(), GL_TEXTURE_MAG_FILTER, mode);
  for (GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R}) glSamplerParameteri(id(), axis, wrap);
  glSamplerParameterfv(id(), GL_TEXTURE_BORDER_COLOR, zero);
}

Buffer::Buffer(const std::string& label, std::int64_t bytes, const void* data)
    : Handle(make(glCreateBuffers), GL_BUFFER, label), bytes_(bytes) {
  glNamedBufferStorage(id(), bytes, data, GL_DYNAMIC_STORAGE_BIT);
  throw_if_out_of_memory(label, static_cast<double>(bytes));
}

void Buffer::write(std::span<const std::byte> data, std::int64_t offset) {
  glNamedBufferSubData(id(), offset, static_cast<GLsizeiptr>(data.size()), data.data());
}

void Buffer::read(std::span<std::byte> data, std::int64_t offset) const {
  glGetNamedBufferSubData(id(), offset, static_cast<GLsizeiptr>(data.size()), data.data());
  require_device();
}

Framebuffer::Framebuffer(const std::string& label) : Handle(make(glCreateFramebuffers), GL_FRAMEBUFFER, label) {}

void Framebuffer::attach(const Texture& texture) {
  glNamedFramebufferTexture(id(), GL_COLOR_ATTACHMENT0, texture.id(), 0);
  width_ = static_cast<GLsizei>(texture.width());
  height_ = static_cast<GLsizei>(texture.height());
}

void Framebuffer::attach(const Texture& texture, std::int64_t layer) {
  glNamedFramebufferTextureLayer(id(), GL_COLOR_ATTACHMENT0, texture.id(), 0, static_cast<GLint>(layer));
  width_ = static_cast<GLsizei>(texture.width());
  height_ = static_cast<GLsizei>(texture.height());
}

void Framebuffer::attach_nothing(const Texture& like) {
  glNamedFramebufferTexture(id(), GL_COLOR_ATTACHMENT0, 0, 0);
  width_ = static_cast<GLsizei>(like.width());
  height_ = static_cast<GLsizei>(like.height());
  glNamedFramebufferParameteri(id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, width_);
  glNamedFramebufferParameteri(id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, height_);
  glNamedFramebufferParameteri(id(), GL_FRAMEBUFFER_DEFAULT_LAYERS, static_cast<GLint>(like.depth()));
}

namespace {

GLenum test_attachment(const Texture& mask) {
  return mask.format() == GL_STENCIL_INDEX8 ? GL_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;
}

}  // namespace

void Framebuffer::attach_test(const Texture& mask) {
  glNamedFramebufferTexture(id(), test_attachment(mask), mask.id(), 0);
}

void Framebuffer::attach_test(const Texture& mask, std::int64_t layer) {
  glNamedFramebufferTextureLayer(id(), test_attachment(mask), mask.id(), 0, static_cast<GLint>(layer));
}

void Framebuffer::use() const {
  const GLenum status = glCheckNamedFramebufferStatus(id(), GL_DRAW_FRAMEBUFFER);
  if (status != GL_FRAMEBUFFER_COMPLETE)
    throw Failure("OpenGL",
                  fmt::format("this driver cannot draw into such a texture (framebuffer status {:#x})", status));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, id());
  glViewport(0, 0, width_, height_);
}

void Framebuffer::use_without_target(std::int64_t width, std::int64_t height) {
  if (width != width_ || height != height_) {
    width_ = static_cast<GLsizei>(width);
    height_ = static_cast<GLsizei>(height);
    glNamedFramebufferParameteri(id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, width_);
    glNamedFramebufferParameteri(id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, height_);
  }
  use();
}

VertexArray::VertexArray(const std::string& label) : Handle(make(glCreateVertexArrays), GL_VERTEX_ARRAY, label) {}

Query::Query(const std::string& label, GLenum target) : Handle(make_query(target), GL_QUERY, label) {}

bool Query::ready() const {
  GLint available = 0;
  glGetQueryObjectiv(id(), GL_QUERY_RESULT_AVAILABLE, &available);
  return available != 0;
}

std::uint64_t Query::result() const {
  GLuint64 value = 0;
  glGetQueryObjectui64v(id(), GL_QUERY_RESULT, &value);
  return value;
}

Fence Fence::here() {
  Fence f;
  f.sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  return f;
}

bool Fence::passed() const { return !sync_ || glClientWaitSync(sync_, 0, 0) != GL_TIMEOUT_EXPIRED; }

void Fence::wait() const {
  constexpr GLuint64 second = 1'000'000'000;
  while (sync_ && glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, second) == GL_TIMEOUT_EXPIRED) {
  }
  require_device();
}

void Fence::wait_on_device() const {
  if (sync_) glWaitSync(sync_, 0, GL_TIMEOUT_IGNORED);
}

}  // namespace backlit::gl

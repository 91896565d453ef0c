// OpenGL objects as move-only values: the constructor creates and labels, the destructor deletes. Direct state access
// only: no function binds an object to edit it. The context that made an object must be current when it is destroyed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "gl/opengl.hpp"

namespace backlit::gl {

/// Owns one OpenGL name; `Kind` deletes it.
template <class Kind>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_) Kind::destroy(id_);
  }
  GLuint id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 protected:
  Handle(GLuint id, GLenum type, const std::string& label) : id_(id) {
    glObjectLabel(type, id, static_cast<GLsizei>(label.size()), label.c_str());
  }

 private:
  GLuint id_ = 0;
};

/// Immutable storage, one level.
struct TextureKind {
  static void destroy(GLuint id) { glDeleteTextures(1, &id); }
};
class Texture : public Handle<TextureKind> {
 public:
  Texture() = default;
  /// GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY or GL_TEXTURE_3D; `depth` is the number of layers of an array. Throws Failure
  /// when memory runs out.
  Texture(const std::string& label, GLenum target, GLenum format, std::int64_t width, std::int64_t height,
          std::int64_t depth = 1);

  /// Layers [first, first + count) of a 2-D array texture, sharing its memory.
  Texture(const std::string& label, const Texture& whole, std::int64_t first, std::int64_t count);

  GLenum format() const { return format_; }
  std::int64_t width() const { return width_; }
  std::int64_t height() const { return height_; }
  std::int64_t depth() const { return depth_; }
  /// For transfers between host and device: the texture that owns the memory, and where this one's layers begin in it.
  /// An NVIDIA driver (580.159) downloads wrong values from layers of a texture that shares its memory.
  GLuint storage() const { return storage_; }
  std::int64_t storage_layer() const { return storage_layer_; }

  void clear(float value);
  void clear_layers(float value, std::int64_t first, std::int64_t count);
  void bind(GLuint unit) const { glBindTextureUnit(unit, id()); }
  /// All layers as an image for shader loads and stores.
  void bind_image(GLuint unit, GLenum access) const;

 private:
  GLenum format_ = 0;
  std::int64_t width_ = 0, height_ = 0, depth_ = 0;
  GLuint storage_ = 0;
  std::int64_t storage_layer_ = 0;
};

/// Filter and wrap mode of texture reads. Outside the texture, reads give zero, or the edge's value with
/// GL_CLAMP_TO_EDGE.
struct SamplerKind {
  static void destroy(GLuint id) { glDeleteSamplers(1, &id); }
};
class Sampler : public Handle<SamplerKind> {
 public:
  Sampler() = default;
  /// `filter`: GL_NEAREST or GL_LINEAR.
  Sampler(const std::string& label, GLenum filter, GLint wrap = GL_CLAMP_TO_BORDER);
  void bind(GLuint unit) const { glBindSampler(unit, id()); }
};

/// Fixed size.
struct BufferKind {
  static void destroy(GLuint id) { glDeleteBuffers(1, &id); }
};
class Buffer : public Handle<BufferKind> {
 public:
  Buffer() = default;
  Buffer(const std::string& label, std::int64_t bytes, const void* data = nullptr);
  std::int64_t bytes() const { return bytes_; }
  void write(std::span<const std::byte> data, std::int64_t offset = 0);
  void read(std::span<std::byte> data, std::int64_t offset = 0) const;
  void bind_storage(GLuint binding) const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, id()); }
  void bind_uniform(GLuint binding) const { glBindBufferBase(GL_UNIFORM_BUFFER, binding, id()); }

 private:
  std::int64_t bytes_ = 0;
};

struct FramebufferKind {
  static void destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
};
class Framebuffer : public Handle<FramebufferKind> {
 public:
  Framebuffer() = default;
  explicit Framebuffer(const std::string& label);
  /// All layers of `texture` as colour attachment 0 (gl_Layer chooses).
  void attach(const Texture& texture);
  /// One layer of `texture` as colour attachment 0.
  void attach(const Texture& texture, std::int64_t layer);
  /// No colour attachment: draws store into images of the size of `like`.
  void attach_nothing(const Texture& like);
  /// A depth or stencil texture, by its format: all layers, or one.
  void attach_test(const Texture& mask);
  void attach_test(const Texture& mask, std::int64_t layer);
  /// Makes this the target of draws; the viewport covers the attached texture. Throws Failure when it is incomplete.
  void use() const;
  /// Makes this the target of draws that only store, over width x height pixels.
  void use_without_target(std::int64_t width, std::int64_t height);

 private:
  GLsizei width_ = 0, height_ = 0;
};

struct VertexArrayKind {
  static void destroy(GLuint id) { glDeleteVertexArrays(1, &id); }
};
class VertexArray : public Handle<VertexArrayKind> {
 public:
  VertexArray() = default;
  explicit VertexArray(const std::string& label);
};

struct QueryKind {
  static void destroy(GLuint id) { glDeleteQueries(1, &id); }
};
class Query : public Handle<QueryKind> {
 public:
  Query() = default;
  Query(const std::string& label, GLenum target);
  bool ready() const;
  std::uint64_t result() const;  ///< waits
};

/// A point in the command stream. OpenGL gives a pointer for it and not a name, hence no Handle.
class Fence {
 public:
  Fence() = default;
  /// After all commands given to the context so far. Flushes, so that other contexts can wait for the fence.
  static Fence here();
  Fence(Fence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
  Fence& operator=(Fence&& other) noexcept {
    std::swap(sync_, other.sync_);
    return *this;
  }
  ~Fence() { glDeleteSync(sync_); }
  bool passed() const;          ///< true also when empty
  void wait() const;            ///< blocks this thread
  void wait_on_device() const;  ///< holds back later commands of the current context only

 private:
  GLsync sync_ = nullptr;
};

}  // namespace backlit::gl

#include "device/gl/gl_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include <backlit/core/error.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "gl/beside_cuda.hpp"
#include "gl/require_device.hpp"

namespace backlit {
namespace gl {

GlBackend::GlBackend(std::shared_ptr<Context> context, std::int64_t memory_bytes)
    : context_(std::move(context)), memory_bytes_(memory_bytes), mapped_(std::make_shared<MappedMemory>(context_)) {}

Capabilities GlBackend::capabilities() const {
  return {.memory_bytes = memory_bytes_,
          .largest_side = context_->limits().texture_size,
          .most_slices = std::min(context_->limits().array_layers, context_->limits().framebuffer_layers),
          .software = context_->limits().software};
}

std::string GlBackend::card_name() const {
  context_->make_current();
  const std::string uuid = device_uuid();
  return uuid.empty() ? context_->renderer() : uuid;
}

void GlBackend::share_card(std::int64_t processes) {
  context_->make_current();
  memory_bytes_ = free_device_memory() / processes;
}

ArrayPtr GlBackend::make_array(const ArrayShape& shape) { return std::make_unique<GlArray>(context_, "array", shape); }

ArrayPtr GlBackend::make_like(const DeviceArray& a) {
  return std::make_unique<GlArray>(context_, "array", a.shape(), as_gl(a).format());
}

ArrayPtr GlBackend::rows(DeviceArray& a, std::int64_t first, std::int64_t count) {
  GlArray& whole = as_gl(a);
  const std::int64_t per_texture = whole.layers_per_texture();
  if (first / per_texture != (first + count - 1) / per_texture) return nullptr;
  return std::make_unique<GlArray>(whole, first, count);
}

void GlBackend::upload(std::span<const float> host, DeviceArray& a) {
  context_->make_current();
  as_gl(a).upload(host);
}

void GlBackend::download(const DeviceArray& a, std::span<float> host) {
  if (std::ssize(host) != a.count())
    throw Failure("OpenGL array", fmt::format("{} values on the host, {} on the device", host.size(), a.count()));
  download_rows(a, 0, host);
}

bool GlBackend::download_rows(const DeviceArray& a, std::int64_t first, std::span<float> host) {
  context_->make_current();
  as_gl(a).download(first, host, *mapped_);
  return true;
}

void GlBackend::apply(const char* expression, DeviceArray& y, const DeviceArray* x, float a, float b) {
  context_->make_current();
  ops_.apply(expression, as_gl(y), x ? &as_gl(*x) : nullptr, a, b);
}

void GlBackend::fill(DeviceArray& y, float value) {
  context_->make_current();
  for (Texture& t : as_gl(y).textures()) t.clear(value);
}

void GlBackend::copy(const DeviceArray& x, DeviceArray& y) { apply("x", y, &x); }
void GlBackend::scale(DeviceArray& y, float a) { apply("a * y", y, nullptr, a); }
void GlBackend::axpy(float a, const DeviceArray& x, DeviceArray& y) { apply("a * x + y", y, &x, a); }
void GlBackend::subtract_from(const DeviceArray& x, DeviceArray& y) { apply("x - y", y, &x); }
void GlBackend::multiply(const DeviceArray& x, DeviceArray& y) { apply("x * y", y, &x); }
void GlBackend::divide(const DeviceArray& x, DeviceArray& y, float floor) {
  apply("abs(x) > a ? y / x : 0.0", y, &x, floor);
}
void GlBackend::clamp(DeviceArray& y, float low, float high) { apply("clamp(y, a, b)", y, nullptr, low, high); }
void GlBackend::exponential(DeviceArray& y) { apply("exp(y)", y); }

double GlBackend::dot(const DeviceArray& x, const DeviceArray& y) {
  context_->make_current();
  return ops_.dot(as_gl(x), as_gl(y));
}

void GlBackend::add_square(const DeviceArray& x, DeviceArray& total) {
  context_->make_current();
  ops_.add_square(as_gl(x), as_gl(total));
}

double GlBackend::sum(const DeviceArray& x) {
  context_->make_current();
  return ops_.sum(as_gl(x));
}

float GlBackend::maximum(const DeviceArray& x) {
  context_->make_current();
  return static_cast<float>(ops_.maximum(as_gl(x)));
}

std::shared_ptr<std::byte> GlBackend::host_memory(std::int64_t bytes) { return mapped_->allocate(bytes); }

void GlBackend::time_passes(bool on) {
  context_->make_current();
  timings_.clear();
  timings_.enable(on);
}

PassTimes GlBackend::pass_times() {
  context_->make_current();
  return timings_.collect();
}

GlBackend& current_gl(Backend& backend) {
  auto& gl = dynamic_cast<GlBackend&>(backend);
  gl.context().make_current();
  return gl;
}

void GlBackend::finish() {
  context_->make_current();
  glFinish();
  require_device();
  context_->check("gl backend");
}

}  // namespace gl

std::unique_ptr<Backend> make_gl_backend(const BackendOptions& options) {
  gl::ContextOptions context;
  if (options.device > 0) context.device = static_cast<int>(options.device);
  context.debug = std::getenv("BACKLIT_GL_DEBUG") != nullptr;
  const auto current = context.device ? gl::Context::create(context) : gl::create_beside_cuda(0, context);
  return std::make_unique<gl::GlBackend>(current,
                                         options.memory_bytes > 0 ? options.memory_bytes : gl::free_device_memory());
}

}  // namespace backlit

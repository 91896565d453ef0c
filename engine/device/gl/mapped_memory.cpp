#include "device/gl/mapped_memory.hpp"

#include <fmt/format.h>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>

namespace backlit::gl {
namespace {

GLuint make_buffer() {
  GLuint id = 0;
  glCreateBuffers(1, &id);
  return id;
}

}  // namespace

MappedBuffer::MappedBuffer(const std::string& label, std::int64_t bytes)
    : Handle(make_buffer(), GL_BUFFER, label), bytes_(bytes) {
  constexpr GLbitfield mapped = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glNamedBufferStorage(id(), bytes, nullptr, mapped | GL_CLIENT_STORAGE_BIT);
  if (glGetError() != GL_OUT_OF_MEMORY) data_ = static_cast<std::byte*>(glMapNamedBufferRange(id(), 0, bytes, mapped));
  if (!data_)
    throw DeviceFailure("memory", fmt::format("no room for {} that the card can reach", byte_size_text(bytes)),
                        "ask for a smaller volume or fewer views");
}

MappedMemory::~MappedMemory() { context_->make_current_or_none(); }

std::shared_ptr<std::byte> MappedMemory::allocate(std::int64_t bytes) {
  context_->make_current();
  MappedBuffer buffer("host memory", std::max<std::int64_t>(1, bytes));
  std::byte* const data = buffer.data();
  buffers_.emplace(data, std::move(buffer));
  return {data, [keeper = shared_from_this()](std::byte* p) {
            keeper->context_->make_current_or_none();
            keeper->buffers_.erase(p);
          }};
}

std::optional<MappedMemory::Place> MappedMemory::find(const std::byte* data, std::int64_t bytes) const {
  auto next = buffers_.upper_bound(data);
  if (next == buffers_.begin()) return std::nullopt;
  const auto& [begin, buffer] = *--next;
  const std::int64_t offset = data - begin;
  if (offset + bytes > buffer.bytes()) return std::nullopt;
  return Place{buffer.id(), offset};
}

}  // namespace backlit::gl

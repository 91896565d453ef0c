// Host memory that the card copies from and to by itself, while the host goes on: buffers that stay mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "gl/context.hpp"
#include "gl/handles.hpp"

namespace backlit::gl {

/// Not initialised. Throws DeviceFailure when there is no memory left.
class MappedBuffer : public Handle<BufferKind> {
 public:
  MappedBuffer() = default;
  MappedBuffer(const std::string& label, std::int64_t bytes);
  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// The mapped buffers that were handed out as plain memory, by address. Kept by a backend, and by what it handed out.
class MappedMemory : public std::enable_shared_from_this<MappedMemory> {
 public:
  explicit MappedMemory(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~MappedMemory();

  std::shared_ptr<std::byte> allocate(std::int64_t bytes);

  struct Place {
    GLuint buffer;
    std::int64_t offset;
  };
  /// Where [data, data + bytes) lies; nothing where it is no memory of ours.
  std::optional<Place> find(const std::byte* data, std::int64_t bytes) const;

 private:
  std::shared_ptr<Context> context_;
  std::map<const std::byte*, MappedBuffer> buffers_;
};

}  // namespace backlit::gl

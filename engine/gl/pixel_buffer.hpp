#pragma once

#include <bit>
#include <cstdint>

#include "gl/opengl.hpp"

namespace backlit::gl {

/// Binds the buffer that transfers of pixels read or write, during the lifetime of the object. Buffer 0: the host's
/// memory.
class PixelBuffer {
 public:
  PixelBuffer(GLenum target, GLuint buffer) : target_(target) { glBindBuffer(target_, buffer); }
  ~PixelBuffer() { glBindBuffer(target_, 0); }
  PixelBuffer(const PixelBuffer&) = delete;
  PixelBuffer& operator=(const PixelBuffer&) = delete;

 private:
  GLenum target_;
};

/// A place in the buffer, as transfers take it.
inline void* at(std::int64_t offset) { return std::bit_cast<void*>(offset); }

}  // namespace backlit::gl

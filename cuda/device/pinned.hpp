// Page-locked host memory: the device copies from it and to it while the host goes on.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "cuda/device/check.hpp"

namespace backlit::cuda {

/// Move-only; not initialised.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes > 0) BACKLIT_CUDA(cudaHostAlloc(&data_, bytes, cudaHostAllocPortable));
  }
  ~PinnedBuffer() { cudaFreeHost(data_); }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::byte* data() { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace backlit::cuda

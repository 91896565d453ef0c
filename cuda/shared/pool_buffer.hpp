// Device memory from the device's pool: memory that one plan frees is at once available to the next.
#pragma once

#include <cstdint>
#include <utility>

#include "cuda/device/launch.hpp"

namespace backlit::cuda {

/// Lets the pool keep up to 4 GiB of freed memory.
inline void keep_pool() {
  int device = 0;
  cudaMemPool_t pool{};
  BACKLIT_CUDA(cudaGetDevice(&device));
  BACKLIT_CUDA(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t most = std::uint64_t{4} << 30;
  BACKLIT_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
}

/// Move-only array of T for work of one stream, which must outlive it; not initialised.
template <class T>
class PoolBuffer {
 public:
  PoolBuffer() = default;
  PoolBuffer(const Stream& stream, std::int64_t count) : stream_(stream), count_(count) {
    if (count > 0) BACKLIT_CUDA(cudaMallocAsync(&data_, bytes(), stream_));
  }
  ~PoolBuffer() {
    if (data_) cudaFreeAsync(data_, stream_);
  }
  PoolBuffer(PoolBuffer&& other) noexcept
      : stream_(other.stream_), data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  PoolBuffer& operator=(PoolBuffer&& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::int64_t count() const { return count_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(T); }

 private:
  cudaStream_t stream_ = nullptr;
  T* data_ = nullptr;
  std::int64_t count_ = 0;
};

}  // namespace backlit::cuda

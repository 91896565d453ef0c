// All kernels start here: named, checked, and timed when a clock is on.
#pragma once

#include <cstdint>

#include "cuda/device/check.hpp"
#include "cuda/device/pass_clock.hpp"

namespace backlit::cuda {

/// A stream whose kernels may be timed by a clock.
class Stream {
 public:
  /// Waiting blocks of a high stream's kernels start before those of other streams.
  enum class Priority { normal, high };
  /// The clock (may be null) must outlive the stream.
  explicit Stream(PassClock* = nullptr, Priority = Priority::normal);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void wait() const { BACKLIT_CUDA(cudaStreamSynchronize(stream_)); }

  PassClock* clock() const { return clock_; }
  /// Calls `work`, which enqueues on this stream, and times it under `name`.
  template <class Work>
  void timed(const char* name, Work&& work) {
    if (clock_)
      clock_->time(name, stream_, work);
    else
      work();
  }

#if defined(__CUDACC__)
  /// kernel<<<grid, block, shared, stream>>>(arguments...)
  template <class Kernel, class... Arguments>
  void launch(const char* name, dim3 grid, dim3 block, std::size_t shared, Kernel kernel, Arguments... arguments) {
    timed(name, [&] {
      kernel<<<grid, block, shared, stream_>>>(arguments...);
      check(cudaGetLastError(), name);
    });
  }
#endif

 private:
  cudaStream_t stream_ = nullptr;
  PassClock* clock_;
};

inline unsigned blocks(std::int64_t n, std::int64_t block) { return static_cast<unsigned>((n + block - 1) / block); }

}  // namespace backlit::cuda

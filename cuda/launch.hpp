// The one way kernels are started: named, checked, and timed when somebody asks.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "check.hpp"

namespace backlit::cuda {

/// A stream, and the time its kernels took by name while timing is on (each launch then waits for its end).
class Stream {
 public:
  /// Blocks of a high stream's kernels start before those of others that wait.
  enum class Priority { normal, high };
  explicit Stream(Priority = Priority::normal);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void wait() const { BACKLIT_CUDA(cudaStreamSynchronize(stream_)); }

  void set_timing(bool on) { timing_ = on; }
  const std::map<std::string, double>& milliseconds() const { return milliseconds_; }

#if defined(__CUDACC__)
  /// kernel<<<grid, block, shared, stream>>>(arguments...)
  template <class Kernel, class... Arguments>
  void launch(const char* name, dim3 grid, dim3 block, std::size_t shared, Kernel kernel, Arguments... arguments) {
    if (timing_) begin();
    kernel<<<grid, block, shared, stream_>>>(arguments...);
    check(cudaGetLastError(), name);
    if (timing_) end(name);
  }
#endif

 private:
  void begin();
  void end(const char* name);

  cudaStream_t stream_ = nullptr;
  cudaEvent_t events_[2] = {nullptr, nullptr};
  bool timing_ = false;
  std::map<std::string, double> milliseconds_;
};

inline unsigned blocks(std::int64_t n, std::int64_t block) { return static_cast<unsigned>((n + block - 1) / block); }

}  // namespace backlit::cuda

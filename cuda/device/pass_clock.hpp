// Device time by kernel, for --timings.
#pragma once

#include <deque>
#include <string>

#include <backlit/core/pass_time.hpp>
#include "cuda/device/event.hpp"

namespace backlit::cuda {

/// Off at the start. Timing waits for no kernel. Kernels that run at the same time each count in full.
class PassClock {
 public:
  /// Forgets all times.
  void start(bool on) {
    collect();
    times_.clear();
    on_ = on;
  }
  /// Times the work that `work` enqueues on the stream; when off, only calls `work`.
  template <class Work>
  void time(const char* name, cudaStream_t stream, Work&& work) {
    if (!on_) return work();
    if (used_ == most) collect();
    if (used_ == spans_.size()) spans_.emplace_back();
    Span& s = spans_[used_++];
    s.name = name;
    s.begin.record(stream);
    work();
    s.end.record(stream);
  }
  /// Times since start(); waits for the kernels being timed.
  const PassTimes& times() {
    collect();
    return times_;
  }

 private:
  static constexpr std::size_t most = 1024;  ///< events kept
  struct Span {
    const char* name = "";
    Event begin, end;
  };

  void collect() {
    for (std::size_t i = 0; i < used_; ++i) {
      const Span& s = spans_[i];
      s.end.wait();
      float milliseconds = 0;
      BACKLIT_CUDA(cudaEventElapsedTime(&milliseconds, s.begin, s.end));
      PassTime& total = times_[s.name];
      ++total.calls;
      total.seconds += 1e-3 * static_cast<double>(milliseconds);
    }
    used_ = 0;
  }

  bool on_ = false;
  std::deque<Span> spans_;
  std::size_t used_ = 0;
  PassTimes times_;
};

}  // namespace backlit::cuda

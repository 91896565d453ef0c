// Spans of device time by name. Kernels do not include this: timelines need <filesystem>, which nvcc compiles slowly.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include <backlit/core/timeline.hpp>
#include "cuda/device/event.hpp"

namespace backlit::cuda {

/// Spans of device time by name, read when all work is done. Events are kept and reused after restart().
class DeviceTimeline {
 public:
  /// Time counts from here.
  void restart(cudaStream_t stream) {
    used_ = 0;
    origin_.record(stream);
  }
  /// A span on `stream` around what `work` enqueues.
  template <class Work>
  void span(const char* lane, std::string name, cudaStream_t stream, Work&& work) {
    if (used_ == spans_.size()) spans_.emplace_back();
    Span& s = spans_[used_++];
    s.lane = lane;
    s.name = std::move(name);
    s.begin.record(stream);
    work();
    s.end.record(stream);
  }
  /// All spans since restart(). The device must have finished them.
  Timeline read() const {
    Timeline timeline;
    for (std::size_t i = 0; i < used_; ++i) {
      const Span& s = spans_[i];
      const double begin = seconds(origin_, s.begin);
      timeline.push_back({s.lane, s.name, begin, seconds(s.begin, s.end)});
    }
    return timeline;
  }

 private:
  struct Span {
    std::string lane, name;
    Event begin, end;
  };
  static double seconds(cudaEvent_t from, cudaEvent_t to) {
    float milliseconds = 0;
    BACKLIT_CUDA(cudaEventElapsedTime(&milliseconds, from, to));
    return 1e-3 * static_cast<double>(milliseconds);
  }

  Event origin_;
  std::deque<Span> spans_;
  std::size_t used_ = 0;
};

}  // namespace backlit::cuda

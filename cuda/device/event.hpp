// Points in a stream's work that others wait for, and clocks made of two of them.
#pragma once

#include <deque>
#include <utility>

#include <backlit/core/timeline.hpp>
#include "cuda/device/check.hpp"

namespace backlit::cuda {

class Event {
 public:
  Event() { BACKLIT_CUDA(cudaEventCreate(&event_)); }
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) { BACKLIT_CUDA(cudaEventRecord(event_, stream)); }
  /// Lets `stream` go on only when what was recorded is done; nothing to wait for before the first record().
  void hold(cudaStream_t stream) const { BACKLIT_CUDA(cudaStreamWaitEvent(stream, event_)); }
  void wait() const { BACKLIT_CUDA(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Spans of device time by name, read when all is done. Events are kept and used again after restart().
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
  /// Everything since restart(); the device must have done it.
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

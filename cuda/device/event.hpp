// Points in a stream's work that other streams or the host wait for.
#pragma once

#include <utility>

#include "cuda/device/check.hpp"

namespace backlit::cuda {

class Event {
 public:
  enum class Timing { on, off };  ///< off: for order alone, which is quicker
  Event() : Event(Timing::on) {}
  explicit Event(Timing timing) {
    BACKLIT_CUDA(cudaEventCreateWithFlags(&event_, timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming));
  }
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
  /// Makes `stream` wait until the recorded work is done. Before the first record() there is nothing to wait for.
  void hold(cudaStream_t stream) const { BACKLIT_CUDA(cudaStreamWaitEvent(stream, event_)); }
  void wait() const { BACKLIT_CUDA(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace backlit::cuda

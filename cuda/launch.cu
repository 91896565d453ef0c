#include "launch.hpp"

namespace backlit::cuda {

Stream::Stream(Priority priority) {
  int least = 0, greatest = 0;
  BACKLIT_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  BACKLIT_CUDA(
      cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority == Priority::high ? greatest : least));
}

Stream::~Stream() {
  for (cudaEvent_t event : events_)
    if (event) cudaEventDestroy(event);
  if (stream_) cudaStreamDestroy(stream_);
}

void Stream::begin() {
  for (cudaEvent_t& event : events_)
    if (!event) BACKLIT_CUDA(cudaEventCreate(&event));
  BACKLIT_CUDA(cudaEventRecord(events_[0], stream_));
}

void Stream::end(const char* name) {
  BACKLIT_CUDA(cudaEventRecord(events_[1], stream_));
  BACKLIT_CUDA(cudaEventSynchronize(events_[1]));
  float milliseconds = 0;
  BACKLIT_CUDA(cudaEventElapsedTime(&milliseconds, events_[0], events_[1]));
  milliseconds_[name] += milliseconds;
}

}  // namespace backlit::cuda

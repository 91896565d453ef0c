#include "cuda/device/launch.hpp"

namespace backlit::cuda {

Stream::Stream(PassClock* clock, Priority priority) : clock_(clock) {
  int least = 0, greatest = 0;
  BACKLIT_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  BACKLIT_CUDA(
      cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority == Priority::high ? greatest : least));
}

Stream::~Stream() {
  if (stream_) cudaStreamDestroy(stream_);
}

}  // namespace backlit::cuda

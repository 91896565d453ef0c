// CUDA calls that fail become exceptions that name the call: the device has no room, or is lost.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include <backlit/core/device_failure.hpp>

namespace backlit::cuda {

inline void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an error that is not sticky must not show up again at the next call
  const char* remedy = status == cudaErrorMemoryAllocation ? "ask for a smaller volume, or set `gpu_memory`" : "";
  throw DeviceFailure("CUDA", std::string(call) + ": " + cudaGetErrorString(status), remedy);
}

}  // namespace backlit::cuda

#define BACKLIT_CUDA(call) ::backlit::cuda::check((call), #call)

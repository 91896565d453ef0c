// Turns failing CUDA calls into exceptions that name the call.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include <backlit/core/error.hpp>

namespace backlit::cuda {

inline void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an error that is not sticky must not appear again at the next call
  const char* remedy = status == cudaErrorMemoryAllocation ? "ask for a smaller volume, or set `gpu_memory`" : "";
  throw Failure("CUDA", std::string(call) + ": " + cudaGetErrorString(status), remedy);
}

}  // namespace backlit::cuda

#define BACKLIT_CUDA(call) ::backlit::cuda::check((call), #call)

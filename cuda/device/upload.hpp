// Tables that are copied to the device once, before any stream reads them.
#pragma once

#include <cstddef>

#include "cuda/device/check.hpp"

namespace backlit::cuda {

/// Copies `bytes` and waits until they are there. cudaMemcpy alone returns when a small copy is only staged, and
/// streams that do not wait for the default stream could read too early.
inline void upload(void* to, const void* from, std::size_t bytes) {
  BACKLIT_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  BACKLIT_CUDA(cudaStreamSynchronize(cudaStreamLegacy));
}

}  // namespace backlit::cuda

// Tables of the host on the device.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cuda/device/check.hpp"

namespace backlit::cuda {

/// Copies `bytes` and waits until they are there. cudaMemcpy alone returns when a small copy is only staged, and
/// streams that do not wait for the default stream could read too early.
inline void upload(void* to, const void* from, std::size_t bytes) {
  BACKLIT_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  BACKLIT_CUDA(cudaStreamSynchronize(cudaStreamLegacy));
}

/// Copies `bytes` in the stream's order. The host does not wait, and may change `from` at once: of up to 64 KiB the
/// driver keeps a copy, so larger tables go in pieces.
inline void upload(cudaStream_t stream, void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t most = std::size_t{64} << 10;
  for (std::size_t at = 0; at < bytes; at += most)
    BACKLIT_CUDA(cudaMemcpyAsync(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at,
                                 std::min(most, bytes - at), cudaMemcpyHostToDevice, stream));
}

}  // namespace backlit::cuda

// CUDA tests: a backend, or SKIPPED.
#pragma once

#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/cuda.hpp>
#include <backlit/device/backend.hpp>
#include "study/cuda/register.hpp"
#include "support/skip.hpp"

namespace backlit {

/// The CUDA backend, or null with the reason when there is no device.
inline std::unique_ptr<Backend> cuda_or_reason(std::string& reason) {
  static const bool registered = [] {
    register_cuda_backend();
    register_cuda_studies();
    return true;
  }();
  (void)registered;
  try {
    return make_backend("cuda");
  } catch (const Failure& failure) {
    reason = failure.what();
    return nullptr;
  }
}

}  // namespace backlit

#define BACKLIT_REQUIRE_CUDA(backend)                             \
  std::string backlit_reason;                                     \
  const auto backend = ::backlit::cuda_or_reason(backlit_reason); \
  if (!backend) BACKLIT_SKIP(backlit_reason)

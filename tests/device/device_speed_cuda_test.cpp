// What plans are made by: the device's own rates.
#include "cuda/device/device_speed.hpp"

#include <cuda_runtime.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "support/cuda.hpp"

using namespace backlit;

TEST_CASE("a device's rates are its own, and the same whenever they are asked for") {
  BACKLIT_REQUIRE_CUDA(backend);
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(cuda::multiprocessors() == properties.multiProcessorCount);
  CHECK(cuda::fetch_rate() > 4e8 * properties.multiProcessorCount);  // more than 100 MHz
  CHECK(cuda::fetch_rate() < 4e10 * properties.multiProcessorCount);
  const double rate = cuda::upload_rate(), halves = 2 * std::log2(rate);
  CHECK(rate > 1e8);
  CHECK(rate < 1e12);
  CHECK(halves == Approx(std::round(halves)).margin(1e-9));
  CHECK(cuda::upload_rate() == rate);
}

// Smoothing of volumes on the device.
#include "support/cuda.hpp"
#include "support/projectors/blurs.hpp"

using namespace backlit;

TEST_CASE("smoothing on the device is what its formula says, its own transpose, and part of operators") {
  BACKLIT_REQUIRE_CUDA(device);
  test::check_blur(device->innermost());
  test::check_blurred_lines(device->innermost(), 1e-3);
}

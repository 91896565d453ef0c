// Penalties on neighbours on the device.
#include "support/cuda.hpp"
#include "support/recon/penalties.hpp"
#include "support/recon/total_variation.hpp"

using namespace backlit;

TEST_CASE("penalties on the device are the reference's, and reconstructions with them") {
  BACKLIT_REQUIRE_CUDA(backend);
  test::check_penalties(*backend, 1e-5);
  test::check_penalised_reconstruction(*backend, 1e-4);
}

TEST_CASE("steps of total variation on the device are the reference's") {
  BACKLIT_REQUIRE_CUDA(backend);
  test::check_total_variation(*backend, 1e-6);
}

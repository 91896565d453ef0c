// The iterative methods on the device against the same methods on the CPU reference.
#include "support/cuda.hpp"
#include "support/follow_reference.hpp"

using namespace backlit;

TEST_CASE("iterative methods on the device follow the reference") {
  BACKLIT_REQUIRE_CUDA(backend);
  // How iterated FDK groups its views, and so its sums, depends on measured time.
  for (const std::string& method : recon_methods())
    if (method != "fdk") test::check_follows_reference(*backend, method, "exact", 1e-4, method != "ifdk");
}

#include "support/cuda.hpp"
#include "support/descriptors.hpp"
#include "support/projector_table.hpp"

namespace backlit {

TEST_CASE("Every projector of CUDA is what its descriptor states") {
  BACKLIT_REQUIRE_CUDA(backend);
  CHECK(test::check_descriptors(backend->innermost()) == 7);
}

TEST_CASE("The documented table of projectors has what CUDA's descriptors state") {
  std::string reason;
  cuda_or_reason(reason);  // registers them, device or not
  test::check_projector_table({"cpu", "gl", "cuda"});
}

}  // namespace backlit

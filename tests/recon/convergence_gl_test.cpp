// What iterations on consistent data must do, on OpenGL as on the CPU (tests/recon/iterative_test.cpp).
#include "support/recon/convergence.hpp"

#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"

namespace backlit::gl {
namespace {

TEST_CASE("Residuals fall, counts are kept and subsets beat FDK on OpenGL") {
  GlBackend backend(test_context());
  backend.activate();
  test::check_residuals_fall(backend);
  test::check_counts_are_kept(backend);
  test::check_subsets_beat_fdk(backend);
  backend.context().check();
}

TEST_CASE("Voxels and rays without weight are left alone on OpenGL") {
  GlBackend backend(test_context());
  backend.activate();
  test::check_zero_weights(backend);
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl

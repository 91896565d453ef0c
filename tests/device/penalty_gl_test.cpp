// Penalties on neighbours on OpenGL.
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/recon/penalties.hpp"
#include "support/recon/total_variation.hpp"

namespace backlit::gl {

TEST_CASE("Penalties on OpenGL are the reference's, and reconstructions with them") {
  GlBackend backend(test_context());
  test::check_penalties(backend, 1e-4);  // powers are good to some 1e-5 on llvmpipe
  test::check_penalised_reconstruction(backend, 1e-4);
  backend.context().check();
}

TEST_CASE("Steps of total variation on OpenGL are the reference's") {
  GlBackend backend(test_context());
  test::check_total_variation(backend, 1e-6);
  backend.context().check();
}

}  // namespace backlit::gl

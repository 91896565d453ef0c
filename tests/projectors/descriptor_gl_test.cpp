#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/projectors/descriptors.hpp"

namespace backlit::gl {

TEST_CASE("Every projector of OpenGL is what its descriptor states") {
  GlBackend backend(test_context());
  CHECK(test::check_descriptors(backend) == 8);
  backend.context().check();
}

TEST_CASE("What the projectors of OpenGL refuse is known without making them") {
  GlBackend backend(test_context());
  CHECK(test::check_refusals(backend) > 0);
}

}  // namespace backlit::gl

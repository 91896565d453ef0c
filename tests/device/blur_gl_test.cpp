// Smoothing of volumes on OpenGL.
#include "device/gl/gl_backend_class.hpp"
#include "gl/context.hpp"
#include "support/gl/gl_support.hpp"
#include "support/projectors/blurs.hpp"

namespace backlit::gl {

TEST_CASE("Smoothing on OpenGL is what its formula says, its own transpose, and part of operators") {
  GlBackend backend(test_context());
  test::check_blur(backend);
  test::check_blurred_lines(backend, 1e-4);
  backend.context().check();
}

TEST_CASE("OpenGL smooths volumes of one texture and says so of larger ones") {
  const auto context = test_context();
  Limits few = query_limits();
  few.array_layers = 8;
  context->mask(few);
  GlBackend backend(context);
  const VolumeGrid grid{{5, 6, 9}, Vec3(2), Vec3(0)};
  GaussianBlur blur(backend, grid, 5);
  CHECK_THROWS_WITH(blur(blur.room()), Catch::Contains("9 slices are more than one texture array holds"));
  context->mask(query_limits());
}

}  // namespace backlit::gl

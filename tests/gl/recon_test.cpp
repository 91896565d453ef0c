// The iterative methods on OpenGL against the same methods on the CPU reference.
#include "backend/gl/gl_backend_class.hpp"
#include "gl_support.hpp"
#include "support/follow_reference.hpp"

namespace backlit::gl {
namespace {

TEST_CASE("Iterative methods on OpenGL follow the reference") {
  GlBackend backend(test_context());
  for (const std::string& method : recon_methods())
    if (method != "fdk") test::check_follows_reference(backend, method, "exact", 1e-4, false);
  // Hardware filtering has weights of 8 bits on some devices, which iterations carry on.
  for (const std::string method : {"cgls", "osem"}) test::check_follows_reference(backend, method, "fast", 3e-3, false);
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl

// Noise smoothed by OpenGL as by the CPU.
#include <backlit/recon/denoise.hpp>

#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/recon/noisy_ball.hpp"

namespace backlit::gl {

TEST_CASE("OpenGL denoises a volume as the CPU does") {
  GlBackend backend(test_context());
  const Volume noisy = test::noisy_ball(0.2f);
  const Volume there = denoised(backend, noisy, 0.2), here = denoised(*make_backend("cpu"), noisy, 0.2);
  CHECK(test::relative_l2(there.values.span(), here.values.span()) < 1e-5);
}

}  // namespace backlit::gl

// The iterative methods on OpenGL against the same methods on the CPU reference.
#include "backend/gl/gl_backend_class.hpp"
#include "gl_cases.hpp"
#include "support/follow_reference.hpp"
#include "support/relaxation.hpp"

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

TEST_CASE("The correction in one pass is the correction in steps, for every geometry") {
  GlBackend backend(test_context());
  for (const Case& c : cases())
    for (const char* variant : {"draw=compute", "views=8", "views=2", "target=image", "target=slice,views=4"})
      for (const Precision precision : {Precision::exact, Precision::fast, Precision::half}) {
        if (precision != Precision::exact && c.name.find("circular") == std::string::npos) continue;
        INFO(c.name << ", " << name(precision) << " " << variant);
        const auto a =
            backend.make_ct(c.grid, c.scan, {.precision = precision, .packing = Packing::none, .variant = variant});
        const Subset subset{1, 4, 3};
        const auto start = random_values(c.grid.voxels(), 5),
                   values = random_values(4 * c.scan.detector.pixels(), 6, -1, 1);
        const auto y = a->make_range(4), x = a->make_domain(), expected = a->make_domain();
        backend.upload(values, *y);
        backend.upload(start, *x);
        backend.upload(start, *expected);
        // Afterwards the last unit of halves is that of ones.
        test::relax_in_steps(backend, *a, *y, *expected, 0.7f, 0.1f, subset);
        REQUIRE(a->relax(*y, *x, 0.7f, 0.1f, subset));
        std::vector<float> got(start.size()), wanted(start.size());
        backend.download(*x, got);
        backend.download(*expected, wanted);
        // Where hardware filters the border of a view of ones, its weights have 8 bits.
        CHECK(relative_l2(got, wanted) < (precision == Precision::exact ? 1e-5 : 2e-3));
      }
  backend.context().check();
}

TEST_CASE("SART with plain backprojection in the transpose's place follows the reference on OpenGL") {
  GlBackend backend(test_context());
  const auto got = test::reconstruct_head(backend, "sart", "fast", "voxel_driven");
  const auto reference = test::reconstruct_head(*make_backend("cpu"), "sart", "fast", "voxel_driven");
  CHECK(relative_l2(got.volume, reference.volume) < 3e-3);
}

}  // namespace
}  // namespace backlit::gl

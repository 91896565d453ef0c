// The iterative methods on OpenGL against the same methods on the CPU reference.
#include <array>

#include "device/gl/gl_backend_class.hpp"
#include "support/gl/coarse_filter.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/recon/follow_reference.hpp"
#include "support/recon/relaxation.hpp"

namespace backlit::gl {
namespace {

TEST_CASE("Iterative methods on OpenGL follow the reference") {
  GlBackend backend(test_context());
  for (const std::string& method : method_names())
    if (method != "fdk" && method != "sart_in_place")  // which have tests of their own
      test::check_follows_reference(backend, method, "exact", 1e-4, false);
  // Hardware filtering has weights of 8 bits on some devices, which iterations carry on.
  for (const std::string method : {"cgls", "osem"}) test::check_follows_reference(backend, method, "fast", 3e-3, false);
  backend.context().check();
}

void check_one_pass(GlBackend& backend, const Case& c, const CtOptions& options) {
  const auto a = backend.make_ct(c.grid, c.scan, options);
  INFO(c.name << ", " << a->variant());
  const Subset subset{1, 4, 3};
  const auto start = random_values(c.grid.voxels(), 5), values = random_values(4 * c.scan.detector.pixels(), 6, -1, 1);
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
  CHECK(relative_l2(got, wanted) < 1e-6);
}

constexpr std::array variants{"draw=compute", "views=8", "target=slice,views=4", "transform=fragment,views=2",
                              "transform=fragment,target=image"};

TEST_CASE("The correction in one pass is the correction in steps, for every geometry") {
  GlBackend backend(test_context());
  for (const Case& c : cases())
    for (const char* variant : variants)
      for (const Precision precision : {Precision::exact, Precision::fast, Precision::half})
        if (precision == Precision::exact || c.name == "circular")
          check_one_pass(backend, c, {.precision = precision, .packing = Packing::none, .variant = variant});
  backend.context().check();
}

TEST_CASE("The correction in one pass is the correction in steps with weights of 8 bits too") {
  const CoarseFilter filter;
  GlBackend backend(test_context());
  Limits hardware = backend.context().limits();
  hardware.software = false;
  backend.context().mask(hardware);
  for (Case c : cases()) {
    c.grid.spacing *= 1.5;  // beyond the detector's border
    for (const char* variant : variants)
      for (const Precision precision : {Precision::fast, Precision::half})
        check_one_pass(backend, c, {.precision = precision, .packing = Packing::none, .variant = variant});
  }
  backend.context().check();
}

TEST_CASE("A correction that one pass would find other places for goes in steps") {
  GlBackend backend(test_context());
  const Case c = cases()[0];
  for (const char* variant : {"views=2", "target=image,views=8"}) {
    const auto a = backend.make_ct(c.grid, c.scan, {.packing = Packing::none, .variant = variant});
    const auto y = a->make_range(4), x = a->make_domain();
    backend.fill(*y, 1);
    backend.fill(*x, 2);
    CHECK(!a->relax(*y, *x, 1, 0, {1, 4, 3}));
    std::vector<float> kept(static_cast<std::size_t>(c.grid.voxels()));
    backend.download(*x, kept);
    CHECK(kept == std::vector<float>(kept.size(), 2.0f));
  }
  backend.context().check();
}

TEST_CASE("SART with plain backprojection in the transpose's place follows the reference on OpenGL") {
  const auto check = [] {
    GlBackend backend(test_context());
    const auto got = test::reconstruct_head(backend, "sart", "fast", "voxel_driven");
    const auto reference = test::reconstruct_head(*make_backend("cpu"), "sart", "fast", "voxel_driven");
    CHECK(relative_l2(got.volume, reference.volume) < 3e-3);
    backend.context().check();
  };
  check();
  const CoarseFilter filter;  // a voxel of which a view sees less than 1/512 of a pixel is corrected all the same
  check();
}

}  // namespace
}  // namespace backlit::gl

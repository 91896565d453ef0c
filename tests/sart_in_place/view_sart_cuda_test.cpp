// SART in place, every representation of the volume, against the CPU reference.
#include <catch2/catch.hpp>

#include <cmath>

#include "support/cuda.hpp"
#include "support/difference.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/view_sart.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

std::string reference_of(const std::string& variant) {
  return variant.ends_with(",matched") ? "in_place,matched" : "in_place";
}

}  // namespace

TEST_CASE("SART in place agrees with the reference in every representation") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const CtCase& c : ct_cases()) {
    const Projections views = ellipsoid_views(c.grid, c.scan);
    for (const std::string& variant : backend->view_sart_variants()) {
      const auto expected = run_view_sart(*cpu, c.grid, views, reference_of(variant), 2, 0.8f, false);
      const auto result = run_view_sart(*backend, c.grid, views, variant, 2, 0.8f, false);
      INFO(c.name << ", " << variant);
      // Two iterations of filtered fetches, whose weights have 8 bits.
      CHECK(relative_l2(expected.volume, result.volume) < 5e-3);
      for (std::size_t n = 0; n < 2; ++n) CHECK(result.residuals[n] == Approx(expected.residuals[n]).epsilon(0.02));
    }
  }
}

TEST_CASE("SART in place takes more slices than an array has layers") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  const VolumeGrid grid{{9, 7, 4100}, {3, 3, 0.01}, {0, 0, 0}};
  const Detector d{15, 13, 4, 4};
  const Scan scan{d, circular_views(d, equal_angles(3), 150, 240)};
  const Projections views = ellipsoid_views(grid, scan);
  const auto expected = run_view_sart(*cpu, grid, views, "in_place", 1, 1, true);
  for (const std::string& variant : backend->view_sart_variants()) {
    if (reference_of(variant) != "in_place") continue;
    INFO(variant);
    CHECK(relative_l2(expected.volume, run_view_sart(*backend, grid, views, variant, 1, 1, true).volume) < 5e-3);
  }
}

TEST_CASE("the memory of each representation is what its name says") {
  BACKLIT_REQUIRE_CUDA(backend);
  const VolumeGrid grid{{64, 64, 48}, {1, 1, 1}, {0, 0, 0}};
  const Detector d{16, 8, 8, 8};
  const Scan scan{d, circular_views(d, equal_angles(2), 150, 240)};
  const auto bytes = [&](const char* variant) {
    return static_cast<double>(backend->make_view_sart(grid, scan, {.variant = variant})->volume_bytes()) /
           (4.0 * static_cast<double>(grid.voxels()));
  };
  CHECK(bytes("surface3d") == 1);
  CHECK(bytes("pitch2d") == Approx(50.0 / 48 * 65 / 64));
  CHECK(bytes("texture3d") == 2);
  CHECK(bytes("array2d") == Approx(1 + 50.0 / 48));
}

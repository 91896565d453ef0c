// Kernels that only --variant chooses, against the CPU reference.
#include <catch2/catch.hpp>

#include <cmath>

#include "support/ct_cases.hpp"
#include "support/cuda.hpp"
#include "support/difference.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

/// Smooth views: the 8-bit weights of hardware filtering then cost little, as in real data.
std::vector<float> smooth_views(const Scan& scan) {
  std::vector<float> values;
  const Detector& d = scan.detector;
  for (std::int64_t n = 0; n < scan.view_count(); ++n)
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.columns; ++c)
        values.push_back(static_cast<float>(1.5 + std::sin(0.31 * static_cast<double>(c + n)) *
                                                      std::cos(0.23 * static_cast<double>(r))));
  return values;
}

std::vector<float> backproject(Backend& backend, const CtCase& c, const CtOptions& options, const Subset& subset) {
  const auto op = backend.make_ct(c.grid, c.scan, options);
  const ArrayPtr y = op->make_range(c.scan.view_count()), x = op->make_domain();
  backend.upload(smooth_views(c.scan), *y);
  op->back(*y, *x, subset, Write::overwrite);
  op->back(*y, *x, subset, Write::accumulate);
  std::vector<float> result(static_cast<std::size_t>(x->count()));
  backend.download(*x, result);
  return result;
}

}  // namespace

TEST_CASE("the kernels of the course and of Zinsser and Keck agree with the reference") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  for (const CtCase& c : ct_cases()) {
    if (c.scan.detector.shape == Detector::Shape::curved) continue;
    for (const Weighting weighting : {Weighting::fdk, Weighting::none})
      for (const Subset& subset : {Subset{0, 7, 1}, Subset{1, 3, 2}}) {
        CtOptions options;
        options.weighting = weighting;
        const auto expected = backproject(*cpu, c, options, subset);
        for (const char* variant :
             {"global", "texture", "shared_projection", "shared_volume", "kernel_a", "kernel_b", "kernel_a,i1,k4",
              "kernel_a,i4,k8", "kernel_a,i16,k8", "kernel_b,i16,k4", "kernel_b,i64,k8", "kernel_b,i64,k16,sync"}) {
          options.variant = variant;
          INFO(c.name << ", " << variant);
          CHECK(relative_l2(expected, backproject(*backend, c, options, subset)) < 1e-3);
        }
      }
  }
}

TEST_CASE("curved detectors are backprojected whatever their radius and tilt") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  auto cases = ct_cases();
  {
    CtCase tilted = cases[4];
    REQUIRE(tilted.name == "curved");
    DetectorPlacement tilt;
    tilt.tilt_u = 6;
    tilt.tilt_n = 4;
    tilted.scan.views = circular_views(tilted.scan.detector, equal_angles(7, 11), 60, 100, tilt);
    tilted.name = "curved, tilted";
    cases.push_back(tilted);
  }
  for (const CtCase& c : cases)
    for (const Precision precision : {Precision::fast, Precision::half}) {
      CtOptions options;
      options.weighting = Weighting::fdk;
      const auto expected = backproject(*cpu, c, options, {1, 3, 2});
      options.precision = precision;
      INFO(c.name);
      CHECK(relative_l2(expected, backproject(*backend, c, options, {1, 3, 2})) < 2e-3);
      options.variant = "maps";
      CHECK(relative_l2(expected, backproject(*backend, c, options, {1, 3, 2})) < 2e-3);
    }
}

TEST_CASE("quarter turns with whole weights are nearer to the reference than filtered ones") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  const Detector d{45, 37, 1.6, 1.7};
  for (const std::int64_t n : {26, 25}) {
    // Odd: voxels as tall as several rows.
    const VolumeGrid grid{{n, n, 19}, {1.1, 1.1, n == 25 ? 3.1 : 0.8}, {0, 0, 1}};
    const CtCase c{"", grid, {d, circular_views(d, equal_angles(12, 10), 200, 310)}};
    for (const Weighting weighting : {Weighting::fdk, Weighting::none}) {
      CtOptions options;
      options.weighting = weighting;
      const auto expected = backproject(*cpu, c, options, {0, 12, 1});
      options.variant = "orbit_fine";
      CHECK(relative_l2(expected, backproject(*backend, c, options, {0, 12, 1})) < 3e-5);
      options.precision = Precision::half;
      CHECK(relative_l2(expected, backproject(*backend, c, options, {0, 12, 1})) < 5e-4);
    }
    // Where whole scans can be packed, precision exact does so by itself; subsets are interpolated view by view.
    CtOptions exact;
    exact.precision = Precision::exact;
    CHECK(backend->make_ct(c.grid, c.scan, exact)->variant() == "voxel_driven orbit_fine rgba32f");
    for (const Subset subset : {Subset{0, 12, 1}, Subset{1, 4, 3}})
      CHECK(relative_l2(backproject(*cpu, c, exact, subset), backproject(*backend, c, exact, subset)) < 1e-5);
  }
  const CtCase parallel{"", {{26, 26, 19}, {1, 1, 1}, {0, 0, 0}}, {d, parallel_views(d, equal_angles(8))}};
  CtOptions options;
  options.variant = "orbit_fine";
  CHECK_THROWS_WITH(backend->make_ct(parallel.grid, parallel.scan, options), Catch::Contains("take cone beams"));
}

TEST_CASE("kernels that leave something out can be timed") {
  BACKLIT_REQUIRE_CUDA(backend);
  const CtCase c = ct_cases().front();
  CtOptions options;
  for (const char* variant : {"kernel_a,i16,k8,no_fetch", "kernel_b,i64,k16,instructions"}) {
    options.variant = variant;
    CHECK(backproject(*backend, c, options, {0, 7, 1}).size() == static_cast<std::size_t>(c.grid.voxels()));
  }
}

TEST_CASE("unknown variants are refused with the list of those there are") {
  BACKLIT_REQUIRE_CUDA(backend);
  const CtCase c = ct_cases().front();
  CtOptions options;
  options.variant = "kernel_c";
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, options),
                    Catch::Contains("variant: the cuda backend does not offer 'kernel_c'; it offers general, columns"));
  options.model = Model::raycast;
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, options),
                    "variant: the cuda backend does not offer 'kernel_c'; leave it out");
}

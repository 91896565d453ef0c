// Kernels that only --variant chooses, against the CPU reference.
#include <catch2/catch.hpp>

#include <set>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "study/analysis.hpp"
#include "support/cuda.hpp"
#include "support/difference.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/smooth_views.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

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

TEST_CASE("every kernel that has a name agrees with the reference in every precision that it has") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  std::set<std::string> seen;
  for (const CtCase& c : ct_cases())
    for (const Weighting weighting : {Weighting::fdk, Weighting::none})
      for (const Subset& subset : {Subset{0, 7, 1}, Subset{1, 3, 2}}) {
        CtOptions plain;
        plain.weighting = weighting;
        const auto expected = backproject(*cpu, c, plain, subset);
        for (CtOptions options : backend->variants(Model::voxel_driven)) {
          options.weighting = weighting;
          INFO(c.name << ", " << options.variant << " " << name(options.precision));
          try {
            const auto result = backproject(*backend, c, options, subset);  // CHECK would take what it throws
            CHECK(relative_l2(expected, result) < (options.precision == Precision::half ? 2e-3 : 1e-3));
            seen.insert(options.variant + " " + name(options.precision));
          } catch (const Unsupported&) {  // orbits need quarter turns, most kernels flat detectors
            CHECK((options.variant.starts_with("orbit") || options.variant == "columns" ||
                   c.scan.detector.shape == Detector::Shape::curved));
          }
        }
      }
  for (const char* kernel : {"kernel_a,i64,k8 half", "kernel_b,i64,k16,sync half", "general half", "columns fast",
                             " exact", "maps half", "shared_volume half", "global fast"})
    CHECK(seen.count(kernel) == 1);
}

TEST_CASE("a kernel's name decides over precision and packing") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Detector d{45, 37, 1.6, 1.7};
  const VolumeGrid grid{{26, 26, 19}, {1.1, 1.1, 0.8}, {0, 0, 1}};
  const Scan scan{d, circular_views(d, equal_angles(12, 10), 200, 310)};
  const auto made = [&](const char* variant, Precision precision, Packing packing) {
    CtOptions options;
    options.variant = variant;
    options.precision = precision;
    options.packing = packing;
    return backend->make_ct(grid, scan, options)->variant();
  };
  const auto any = Packing::automatic;
  CHECK(made("", Precision::half, any) == "voxel_driven orbit rgba16f");
  CHECK(made("general", Precision::half, any) == "voxel_driven general r16f");
  CHECK(made("columns", Precision::fast, Packing::none) == "voxel_driven columns r32f");
  CHECK(made("orbit", Precision::fast, any) == "voxel_driven orbit rgba32f");
  CHECK(made("orbit_fine", Precision::fast, any) == "voxel_driven orbit_fine rgba32f");
  CHECK(made("orbit_rows", Precision::half, any) == "voxel_driven orbit_rows rgba16f");
  CHECK(made("exact", Precision::fast, any) == "voxel_driven exact");
  CHECK(made("exact", Precision::exact, Packing::none) == "voxel_driven exact");
  CHECK(made("maps", Precision::half, Packing::none) == "voxel_driven maps r16f");
  CHECK(made("texture", Precision::half, any) == "voxel_driven texture r16f");
  CHECK_THROWS_WITH(made("general", Precision::exact, any),
                    "variant: general filters with 8-bit weights, which is not exact; use `precision` fast, or "
                    "`variant` exact or orbit_fine");
  for (const char* variant : {"columns", "orbit", "orbit_rows", "maps", "kernel_b", "texture"})
    CHECK_THROWS_WITH(made(variant, Precision::exact, any), Catch::Contains("which is not exact"));
  for (const char* variant : {"general", "columns", "exact", "maps", "kernel_a"})
    CHECK_THROWS_WITH(made(variant, Precision::fast, Packing::orbit),
                      Catch::Contains(" does not pack views; leave out"));
  for (const char* variant : {"orbit", "orbit_fine", "orbit_rows"})
    CHECK_THROWS_WITH(made(variant, Precision::half, Packing::none),
                      Catch::Contains(" packs four views a texel; leave out `packing` none"));
  for (const char* variant : {"exact", "global", "shared_projection"})
    CHECK_THROWS_WITH(made(variant, Precision::half, any), Catch::Contains(" reads fp32 views; use `precision` fast"));
  // Whole FDK takes the same names.
  FdkPipelineOptions whole;
  whole.ct.weighting = Weighting::fdk;
  whole.ct.variant = "general";
  whole.ct.precision = Precision::half;
  CHECK(backend->make_fdk_pipeline(scan, grid, whole)->variant() == "voxel_driven general r16f, overlapped");
  whole.ct.variant = "exact";
  whole.ct.precision = Precision::exact;
  CHECK(!backend->make_fdk_pipeline(scan, grid, whole));
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
      options.variant = "orbit_rows";  // whole along v alone
      CHECK(relative_l2(expected, backproject(*backend, c, options, {0, 12, 1})) < 2e-3);
    }
    // Precision exact packs whole scans by itself where slices are close together; subsets are interpolated view by
    // view.
    CtOptions exact;
    exact.precision = Precision::exact;
    CHECK(backend->make_ct(c.grid, c.scan, exact)->variant() ==
          (n == 25 ? "voxel_driven exact" : "voxel_driven orbit_fine rgba32f"));
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

TEST_CASE("eight kernels are analysed in four parts each") {
  BACKLIT_REQUIRE_CUDA(backend);
  const CtCase c = ct_cases().front();
  const BenchCase scene{c.name, "", c.grid, c.scan};
  const BenchData data = random_views(scene);
  for (const Precision precision : {Precision::fast, Precision::half}) {
    const auto kernels = analysed_kernels(*backend, precision);
    CHECK(kernels.size() == 8);
    for (const CtOptions& kernel : kernels) {
      INFO(kernel.variant);
      const auto rows = analyse(*backend, scene, kernel, data, 1);
      REQUIRE(rows.size() == 4);
      CHECK(rows[0].operation == "I|-|-");
      CHECK(rows[3].operation == "I|M|T");
      for (const BenchRow& row : rows) CHECK(row.rate > 0);
    }
  }
}

TEST_CASE("unknown variants are refused with the list of those there are") {
  BACKLIT_REQUIRE_CUDA(backend);
  const CtCase c = ct_cases().front();
  CtOptions options;
  options.variant = "kernel_c";
  CHECK_THROWS_WITH(
      backend->make_ct(c.grid, c.scan, options),
      Catch::Contains("variant: the cuda backend does not offer 'kernel_c'; it offers orbit, columns, general"));
  options.model = Model::raycast;
  CHECK_THROWS_WITH(backend->make_ct(c.grid, c.scan, options),
                    "variant: the cuda backend does not offer 'kernel_c'; leave it out");
}

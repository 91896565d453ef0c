// SART in place: its rays against exact lengths, its matched pair against an explicit transpose, the method end to end.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/recon/methods/sart_in_place.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/sart_in_place/unit_steps.hpp"
#include "projectors/shared/make_ray_frame.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/view_sart.hpp"
#include "support/recon/quality.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("samples of a ray cover its length in the volume") {
  // Along an axis, through voxel centres: trilinear values of ones add up to the number of voxels wherever samples
  // fall.
  for (const double start : {-30.0, -30.4, -30.9}) {
    const Ray<double> ray{{start, 2, 1}, {0.5, 0, 0}, 0};
    const auto s = unit_steps(ray, 7, 5, 4);
    CHECK(s.length == 2);  // mm: a voxel
    double covered = 0;
    for (int n = s.first; n <= s.last; ++n)
      covered += coverage(s.u + n * s.du, 7) * coverage(s.v, 5) * coverage(s.w, 4);
    CHECK(covered == Approx(7));
  }
  // From inside, only what lies ahead counts.
  const auto inside = unit_steps(Ray<double>{{3, 2, 1}, {1, 0, 0}, 0}, 7, 5, 4);
  CHECK(inside.first == 0);
  CHECK(unit_steps(Ray<double>{{3, 2, 1}, {1, 0, 0}, 1}, 7, 5, 4).first < 0);
  CHECK(unit_steps(Ray<double>{{3, 9, 1}, {1, 0, 0}, 1}, 7, 5, 4).last == -1);
}

TEST_CASE("a volume of ones has everywhere the coverage") {
  const std::vector<float> ones(3 * 4 * 2, 1.0f);
  for (const double u : {-1.2, -0.7, 0.0, 1.4, 2.3, 3.1})
    for (const double w : {-0.5, 0.2, 1.6})
      CHECK(trilinear(ones.data(), 3, 4, 2, u, 1.3, w) == Approx(coverage(u, 3) * coverage(w, 2)).margin(1e-12));
}

TEST_CASE("gathering the rays of a voxel is the transpose of sampling them") {
  for (const CtCase& c : ct_cases()) {
    const int nx = static_cast<int>(c.grid.size[0]), ny = static_cast<int>(c.grid.size[1]),
              nz = static_cast<int>(c.grid.size[2]);
    const int columns = static_cast<int>(c.scan.detector.columns), rows = static_cast<int>(c.scan.detector.rows);
    const View& view = c.scan.views[2];
    const auto frame = make_ray_frame(c.scan.detector, view, c.grid);
    const auto map = in_voxels(make_view_map(c.scan.detector, view), c.grid.first_voxel(), c.grid.spacing);
    // x random voxels, y random pixels: <A x, y> = <x, A' y>, ray by ray and voxel by voxel.
    std::vector<double> x(static_cast<std::size_t>(c.grid.voxels())), y(static_cast<std::size_t>(columns * rows));
    for (std::size_t n = 0; n < x.size(); ++n) x[n] = std::fmod(0.37 * static_cast<double>(n * n % 1013), 1.0);
    for (std::size_t n = 0; n < y.size(); ++n) y[n] = std::fmod(0.53 * static_cast<double>(n * n % 887), 1.0);
    double left = 0, right = 0;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const auto s = unit_steps(make_ray(frame, double(column), double(row)), nx, ny, nz);
        double sum = 0;
        for (int n = s.first; n <= s.last; ++n)
          sum += trilinear(x.data(), nx, ny, nz, s.u + n * s.du, s.v + n * s.dv, s.w + n * s.dw);
        left += sum * s.length * y[static_cast<std::size_t>(row * columns + column)];
      }
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
          double share = 0, amount = 0;
          gather_rays(frame, map, y.data(), columns, rows, columns, nx, ny, nz, i, j, k, share, amount);
          right += amount * x[static_cast<std::size_t>((k * ny + j) * nx + i)];
        }
    INFO(c.name);
    CHECK(left > 0);
    CHECK(left == Approx(right).epsilon(1e-10));
  }
}

TEST_CASE("SART in place reconstructs, matched or not") {
  const auto backend = make_backend("cpu");
  const VolumeGrid grid{{25, 23, 11}, {2, 2, 2}, {0, 0, 0}};
  const Detector d{39, 21, 3, 3};
  const Scan scan{d, circular_views(d, equal_angles(24), 150, 240)};
  const Projections views = ellipsoid_views(grid, scan);
  for (const std::string& variant : backend->view_sart_variants()) {
    INFO(variant);
    const auto run = run_view_sart(*backend, grid, views, variant, 4, 0.7f, false);
    for (std::size_t n = 1; n < run.residuals.size(); ++n) CHECK(run.residuals[n] < run.residuals[n - 1]);
    CHECK(run.residuals.back() < 0.03 * run.residuals.front());
    CHECK(run.volume[static_cast<std::size_t>((5 * 23 + 11) * 25 + 12)] == Approx(0.03).epsilon(0.05));
    CHECK(run.volume[static_cast<std::size_t>((5 * 23 + 11) * 25 + 5)] == Approx(0.02).epsilon(0.05));
    const auto positive = run_view_sart(*backend, grid, views, variant, 2, 0.7f, true);
    CHECK(*std::min_element(positive.volume.begin(), positive.volume.end()) == 0);
  }
}

TEST_CASE("SART in place is a method of its own") {
  const auto backend = make_backend("cpu");
  const VolumeGrid grid{{9, 9, 5}, {4, 4, 4}, {0, 0, 0}};
  const Detector d{19, 11, 5, 5};
  const Scan scan{d, circular_views(d, equal_angles(8), 150, 240)};
  const auto source = std::make_shared<MemorySource>(ellipsoid_views(grid, scan));
  SartInPlaceOptions options;
  options.iterations = 3;
  const auto recon = make_reconstruction(*backend, source, grid, options);
  int iterations = 0;
  for (auto status = Reconstruction::Status::more; status != Reconstruction::Status::finished;) {
    status = recon->step();
    iterations += status == Reconstruction::Status::iteration_done;
  }
  CHECK(iterations == 2);
  CHECK(recon->residuals().size() == 3);
  CHECK(recon->residuals()[2] < recon->residuals()[0]);
  CHECK(recon->progress().done == recon->progress().total);
  CHECK(recon->variant() == "sart in_place unmatched");
  CHECK(recon->volume_bytes() == 9 * 9 * 5 * 8);
  CHECK(recon->download().values.size() == 9 * 9 * 5);

  options.operation.matched = true;
  CHECK(make_reconstruction(*backend, source, grid, options)->variant() == "sart in_place matched");
  CHECK_THROWS_WITH(Method("sart_in_place").set("model", "joseph"),
                    Catch::StartsWith("model: sart_in_place does not take it; use `method` fdk"));
  CHECK_THROWS_WITH(Method("sart").set("variant", "pitch2d"), Catch::StartsWith("variant: no method has such"));
  CHECK_THROWS_WITH(backend->make_view_sart(grid, scan, {.variant = "pitch2d"}),
                    "variant: the cpu backend does not offer 'pitch2d'; it offers in_place, in_place,matched");
}

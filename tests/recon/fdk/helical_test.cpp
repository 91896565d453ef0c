// Helical filtered backprojection against the body it should find.
#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "support/recon/recon_options.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;

namespace {

Volume reconstruct(const Scan& scan, const Phantom& phantom, const VolumeGrid& grid, std::int64_t memory = 0) {
  const auto backend = make_backend("cpu", {.memory_bytes = memory});
  Projections data(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), 2, data.values.span());
  ReconOptions options;
  options.method = "hfdk";
  auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(std::move(data)), grid, options);
  while (recon->step() != Reconstruction::Status::finished) continue;
  CHECK(recon->progress().done == recon->progress().total);
  return recon->download();
}

/// Mean and spread within `radius` mm of the axis in the slice at z.
std::pair<double, double> in_slice(const Volume& v, std::int64_t k, double radius) {
  double sum = 0, square = 0, n = 0;
  for (std::int64_t j = 0; j < v.grid.size[1]; ++j)
    for (std::int64_t i = 0; i < v.grid.size[0]; ++i) {
      const Vec3 at = v.grid.voxel_center(double(i), double(j), double(k));
      if (std::hypot(at.x, at.y) > radius) continue;
      const double value = double(v.values.data()[(k * v.grid.size[1] + j) * v.grid.size[0] + i]);
      sum += value;
      square += value * value;
      ++n;
    }
  return {sum / n, std::sqrt(square / n - sum * sum / (n * n))};
}

}  // namespace

TEST_CASE("Helical filtered backprojection gives absolute values, flat and curved, up and down, displaced a little") {
  Phantom cylinder;
  Body body;
  body.shape = Body::Shape::cylinder;
  body.half = Vec3(40, 40, 80);
  body.value = 0.02;
  cylinder.bodies = {body};
  const VolumeGrid grid{{31, 31, 11}, Vec3(3.1, 3.1, 2), Vec3(0, 0, 1)};
  for (const auto shape : {Detector::Shape::flat, Detector::Shape::curved})
    for (const double pitch : {14.0, -14.0}) {
      INFO((shape == Detector::Shape::flat ? "flat" : "curved") << ", pitch " << pitch);
      const Detector d{101, 9, 2.4, 2.8, shape};
      DetectorPlacement quarter;
      quarter.offset_u = 0.25;
      const Scan scan{d, helical_views(d, equal_angles(4 * 120, 17, 4 * 360), 541, 949, pitch, -2 * pitch, quarter)};
      const Volume v = reconstruct(scan, cylinder, grid);
      for (std::int64_t k = 0; k < 11; ++k) {
        const auto [mean, spread] = in_slice(v, k, 33);
        CHECK(mean == Approx(0.02).epsilon(0.01));
        CHECK(spread < 0.03 * 0.02);
      }
    }
}

TEST_CASE("Helical filtered backprojection puts things where they are along z") {
  Phantom balls;
  for (const double z : {-6.0, 4.0}) {
    Body ball;
    ball.shape = Body::Shape::ellipsoid;
    ball.center = Vec3(z < 0 ? 20 : -10, 5, z);
    ball.half = Vec3(6, 6, 3);
    ball.value = 0.02;
    balls.bodies.push_back(ball);
  }
  const VolumeGrid grid{{41, 41, 13}, Vec3(1.5, 1.5, 1.5), Vec3(0)};
  const Detector d{101, 9, 1.6, 2.8, Detector::Shape::curved};
  const Scan scan{d, helical_views(d, equal_angles(4 * 120, 0, 4 * 360), 541, 949, 14, -28)};
  const Volume v = reconstruct(scan, balls, grid), truth = voxelize(balls, grid, 3);
  double difference = 0, norm = 0;
  for (std::int64_t i = 0; i < v.values.size(); ++i) {
    difference += std::pow(v.values.data()[i] - truth.values.data()[i], 2);
    norm += std::pow(truth.values.data()[i], 2);
  }
  CHECK(std::sqrt(difference / norm) < 0.25);  // mostly the blur of edges by cells of 1.6 x 1.6 mm at the axis
}

TEST_CASE("Helical filtered backprojection is the same where the volume does not fit the device") {
  Phantom ball;
  ball.bodies.emplace_back().value = 0.02;
  ball.bodies[0].half = Vec3(30, 30, 5);
  const VolumeGrid grid{{31, 29, 9}, Vec3(3), Vec3(0)};
  const Detector d{51, 5, 4, 2.8};
  const Scan scan{d, helical_views(d, equal_angles(3 * 40, 0, 3 * 360), 541, 949, 14, -21)};
  const Volume whole = reconstruct(scan, ball, grid, 1 << 30), parts = reconstruct(scan, ball, grid, 150 << 10);
  CHECK(test::relative_l2(parts.values.span(), whole.values.span()) < 1e-6);
  const Volume unknown = reconstruct(scan, ball, grid);
  CHECK(test::relative_l2(unknown.values.span(), whole.values.span()) < 1e-6);
}

TEST_CASE("Iterations of a helical scan start from helical filtered backprojection") {
  Phantom ball;
  Body body;
  body.half = Vec3(30, 30, 5);
  body.value = 0.02;
  ball.bodies = {body};
  const VolumeGrid grid{{21, 21, 7}, Vec3(4.5, 4.5, 2), Vec3(0)};
  const Detector d{71, 9, 3.4, 2.8};
  const Scan scan{d, helical_views(d, equal_angles(4 * 40, 0, 4 * 360), 541, 949, 14, -28)};
  const auto backend = make_backend("cpu");
  const auto first_residual = [&](const char* initial) {
    Projections data(scan);
    project_phantom(ball, scan, 0, scan.view_count(), 2, data.values.span());
    ReconOptions options;
    options.method = "sirt";
    options.iterations = 1;
    options.initial = initial;
    auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(std::move(data)), grid, options);
    while (recon->step() != Reconstruction::Status::finished) continue;
    return recon->residuals()[0];
  };
  CHECK(first_residual("") == Approx(1));
  CHECK(first_residual("hfdk") < 0.3);
  CHECK_THROWS_WITH(first_residual("fdk"), Catch::Contains("the source leaves its plane"));
}

TEST_CASE("Helical filtered backprojection refuses what is no helix of whole turns") {
  const auto backend = make_backend("cpu");
  const Detector d{31, 5, 2, 2};
  const VolumeGrid grid{{9, 9, 3}, Vec3(2), Vec3(0)};
  const auto refusal = [&](const Scan& scan) -> std::string {
    ReconOptions options;
    options.method = "hfdk";
    try {
      make_reconstruction(*backend, std::make_shared<MemorySource>(Projections(scan)), grid, options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  CHECK(refusal({d, helical_views(d, equal_angles(50, 0, 720), 200, 300, 5, -5)}).empty());
  CHECK(refusal({d, helical_views(d, equal_angles(51, 0, 720), 200, 300, 5, -5)}) ==
        "helical: a turn has 25.500 views; use an iterative method, or `method` fdk for circles");
  CHECK(refusal({d, helical_views(d, equal_angles(20, 0, 180), 200, 300, 5, -5)}) ==
        "helical: there is less than a turn; use an iterative method, or `method` fdk for circles");
  const std::string leaves =
      "helical: view 7 leaves the helix of the others; use an iterative method, or `method` fdk for circles";
  const Scan straight{d, helical_views(d, equal_angles(50, 0, 720), 200, 300, 5, -5)};
  Scan bent = straight;
  bent.views[7].source.z += 1;  // as a focal spot that jumps
  CHECK(refusal(bent).empty());
  bent.views[7].center.z += 1;
  CHECK(refusal(bent) == leaves);
  bent = straight;
  bent.views[7].source.z += 5;
  CHECK(refusal(bent) == leaves);
}

// Forward projection against exact line integrals: RTK's rtkforwardprojectiontest and CIL's checkerboard, restated in
// our axes.
#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/model.hpp>
#include "support/recon/quality.hpp"

using namespace backlit;

namespace forward_projection_test {
namespace {

Projections project(const Volume& volume, const Scan& scan) {
  auto backend = make_backend("cpu");
  auto a = backend->make_ct(volume.grid, scan, {.model = Model::joseph});
  auto x = a->make_domain(), y = a->make_range(scan.view_count());
  backend->upload(volume.values.span(), *x);
  a->forward(*x, *y, a->all(), Write::overwrite);
  Projections p(scan);
  backend->download(*y, p.values.span());
  return p;
}

Volume backproject(const Projections& p, const VolumeGrid& grid, Model model) {
  auto backend = make_backend("cpu");
  auto a = backend->make_ct(grid, p.scan, {.model = model});
  auto x = a->make_domain(), y = a->make_range(p.scan.view_count());
  backend->upload(p.values.span(), *y);
  a->back(*y, *x, a->all(), Write::overwrite);
  Volume v(grid);
  backend->download(*x, v.values.span());
  return v;
}

void check(const Phantom& phantom, const Volume& volume, const Scan& scan) {
  Projections exact(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), 1, exact.values.span());
  const auto q = test::quality(project(volume, scan).values.span(), exact.values.span(), 255);
  INFO("mean |d| " << q.mean_abs << ", PSNR " << q.psnr_db << " dB");
  CHECK(q.mean_abs < 1.28);
  CHECK(q.psnr_db > 44);
}

Detector rtk_detector() {
  Detector d;
  d.columns = d.rows = 64;
  d.pixel_u = d.pixel_v = 4;
  return d;
}

}  // namespace

TEST_CASE("A box of ones projects to the lengths of rays in it, with the source outside and inside") {
  const VolumeGrid grid{{64, 64, 64}, Vec3(4), Vec3(0)};
  Volume ones(grid);
  std::fill(ones.values.begin(), ones.values.end(), 1.0f);
  Phantom box;
  box.bodies.emplace_back();
  box.bodies[0].shape = Body::Shape::box;
  box.bodies[0].half = Vec3(128);
  box.bodies[0].value = 1;
  const Detector d = rtk_detector();
  check(box, ones, {d, circular_views(d, equal_angles(45), 500, 1000)});
  Scan inner{d, {}};  // the source runs along the plane x = 47.6, and along y = 47.6
  for (int i = 0; i < 45; ++i)
    for (const double quarter : {0.0, 90.0}) {
      const double angle = -45.0 + 2 * i;
      inner.views.push_back(
          circular_views(d, {quarter + angle}, 47.6 / std::cos(angle * radians_per_degree), 1000).front());
    }
  check(box, ones, inner);
}

TEST_CASE("Shepp-Logan projects to its line integrals on flat and cylindrical detectors, and from within") {
  const Phantom head = load_phantom("shepp-logan-rtk");
  const Volume volume = voxelize(head, {{128, 128, 128}, Vec3(2), Vec3(0)}, 3);
  const Detector flat = rtk_detector();
  Detector cylinder = flat;
  cylinder.shape = Detector::Shape::curved;
  cylinder.radius = 600;
  const auto angles = equal_angles(45);
  check(head, volume, {flat, circular_views(flat, angles, 500, 1000)});
  check(head, volume, {cylinder, circular_views(cylinder, angles, 500, 1000)});
  check(head, volume, {flat, circular_views(flat, angles, 120, 1000)});
}

TEST_CASE("A checkerboard's columns project onto their squares and come back where they were") {
  const VolumeGrid grid{{16, 16, 16}, Vec3(1), Vec3(0)};
  Detector d;
  d.columns = d.rows = 16;
  const auto white = [](std::int64_t column, std::int64_t row) { return (column / 4 + row / 4) % 2 == 0; };
  Volume board(grid);
  for (std::int64_t k = 0; k < 16; ++k)
    for (std::int64_t j = 0; j < 16; ++j)
      for (std::int64_t i = 0; i < 16; ++i) board.at(i, j, k) = white(i, k);

  // Rays along +y, columns along +x. The cone's source is so far that its rays drift by at most 6e-4 voxel inside the
  // board: pixels beside an edge see that much of the next square, so that the exact answer is not 16 or 0 but what the
  // interpolated board holds along the ray, which each pixel is compared with to single precision.
  const auto along_ray = [&](const Scan& scan, std::int64_t column, std::int64_t row) {
    const View& view = scan.views[0];
    const Vec3 pixel = view.center + (column - 7.5) * view.u + (row - 7.5) * view.v;
    const Vec3 ray = scan.beam() == Beam::parallel ? view.direction : pixel - view.source;
    double sum = 0;
    for (std::int64_t j = 0; j < 16; ++j) {
      const Vec3 p = pixel + ray * ((static_cast<double>(j) - 7.5 - pixel.y) / ray.y) + Vec3(7.5);
      const auto i = static_cast<std::int64_t>(std::floor(p.x)), k = static_cast<std::int64_t>(std::floor(p.z));
      for (const std::int64_t di : {0, 1})
        for (const std::int64_t dk : {0, 1})
          if (i + di >= 0 && i + di < 16 && k + dk >= 0 && k + dk < 16)
            sum += white(i + di, k + dk) * (1 - std::abs(p.x - static_cast<double>(i + di))) *
                   (1 - std::abs(p.z - static_cast<double>(k + dk)));
    }
    return sum * glm::length(ray) / std::abs(ray.y);
  };
  const Scan scans[] = {{d, parallel_views(d, {-90})}, {d, circular_views(d, {-90}, 100000, 100000)}};
  for (const Scan& scan : scans) {
    const bool exact = scan.beam() == Beam::parallel;
    const Projections p = project(board, scan);
    Projections squares(scan);
    for (std::int64_t row = 0; row < 16; ++row)
      for (std::int64_t column = 0; column < 16; ++column) {
        INFO("row " << row << ", column " << column);
        REQUIRE(p.at(0, row, column) == Approx(along_ray(scan, column, row)).epsilon(1e-6).margin(1e-6));
        if (exact) REQUIRE(p.at(0, row, column) == Approx(white(column, row) ? 16.0 : 0.0).epsilon(1e-7).margin(1e-9));
        squares.at(0, row, column) = white(column, row);
      }
    for (const Model model : {Model::joseph, Model::voxel_driven}) {
      const Volume back = backproject(squares, grid, model);
      for (std::int64_t i = 0; i < grid.voxels(); ++i)
        REQUIRE(back.values[i] == Approx(board.values[i]).margin(exact ? 1e-9 : 1.2e-3));
    }
  }
}

}  // namespace forward_projection_test

// Every model of line integrals against what it must give: boxes, smooth bodies, hand-computed voxels.
#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "projectors/raycast/samples.hpp"
#include "projectors/shared/make_ray_frame.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/smooth_body.hpp"

using namespace backlit;

namespace {

Projections project(const Volume& volume, const Scan& scan, const CtOptions& options) {
  auto backend = make_backend("cpu");
  auto a = backend->make_ct(volume.grid, scan, options);
  auto x = a->make_domain(), y = a->make_range(scan.view_count());
  backend->upload(volume.values.span(), *x);
  a->forward(*x, *y, a->all(), Write::overwrite);
  Projections p(scan);
  backend->download(*y, p.values.span());
  return p;
}

/// The largest difference from the exact line integrals as a share of the largest integral.
double worst_error(const Phantom& phantom, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  Projections exact(scan);
  project_phantom(phantom, scan, 0, scan.view_count(), 1, exact.values.span());
  const Projections p = project(voxelize(phantom, grid, 3), scan, options);
  double most = 0, worst = 0;
  for (std::int64_t i = 0; i < exact.values.size(); ++i) {
    most = std::max(most, double(exact.values.data()[i]));
    worst = std::max(worst, std::abs(double(p.values.data()[i]) - double(exact.values.data()[i])));
  }
  return worst / most;
}

const std::vector<CtOptions> models{{.model = Model::joseph},  {.model = Model::joseph, .variant = "stack=view"},
                                    {.model = Model::raycast}, {.model = Model::raycast, .step = 0.2},
                                    {.model = Model::siddon},  {.model = Model::blob}};

}  // namespace

TEST_CASE("Every model projects a smooth body to its exact line integrals, whatever the geometry") {
  const Phantom gauss = test::smooth_body();
  const VolumeGrid grid = test::smooth_body_grid();
  for (const auto& c : test::ct_cases()) {
    if (c.grid.size[2] == 1) continue;
    for (const CtOptions& o : models) {
      INFO(c.name << ", " << name(o.model) << " " << o.variant << ", step " << o.step);
      // Boxes are steps, which a smooth body shows most; the others blur a Gaussian of 3.5 voxels by 2 %.
      CHECK(worst_error(gauss, grid, c.scan, o) < (o.model == Model::siddon ? 0.08 : 0.03));
    }
  }
}

TEST_CASE("Box lengths: a block of voxels projects to the exact lengths of rays in it, also from a source within") {
  const VolumeGrid grid{{9, 8, 7}, Vec3(1.5, 1.2, 1.4), Vec3(0.3, -0.2, 0.1)};
  Volume volume(grid);
  for (std::int64_t k = 2; k < 5; ++k)
    for (std::int64_t j = 1; j < 6; ++j)
      for (std::int64_t i = 3; i < 8; ++i) volume.values.data()[(k * 8 + j) * 9 + i] = 2;
  Phantom block;
  Body body;
  body.shape = Body::Shape::box;
  body.center = grid.voxel_center(5, 3, 3);
  body.half = Vec3(2.5, 2.5, 1.5) * grid.spacing;
  body.value = 2;
  block.bodies = {body};
  const Detector d{23, 17, 1.1, 0.9};
  for (const double source : {40.0, 1.7}) {
    const Scan scan{d, circular_views(d, equal_angles(9, 3), source, source + 20)};
    Projections exact(scan);
    project_phantom(block, scan, 0, 9, 1, exact.values.span());
    const Projections p = project(volume, scan, {.model = Model::siddon});
    for (std::int64_t i = 0; i < p.values.size(); ++i)
      REQUIRE(p.values.data()[i] == Approx(exact.values.data()[i]).margin(1e-5));
  }
}

TEST_CASE("Trilinear samples of one voxel along an axis: the trapezoid rule of a triangle") {
  Volume volume({{5, 5, 5}, Vec3(2), Vec3(0)});
  volume.values.data()[(2 * 5 + 2) * 5 + 2] = 3;
  const Detector d{1, 1, 1, 1};
  const Scan scan{d, parallel_views(d, {0})};
  // 12 mm from edge to edge in steps of 1 mm: samples on the triangle's corners, so that the rule is exact.
  CHECK(project(volume, scan, {.model = Model::raycast}).values.data()[0] == Approx(3 * 2));
  // Off by a quarter of a voxel across, by half a one along z.
  Scan shifted = scan;
  shifted.views[0].center += Vec3(0, 0.5, 1);
  CHECK(project(volume, shifted, {.model = Model::raycast}).values.data()[0] == Approx(3 * 2 * 0.75 * 0.5));
}

TEST_CASE("Splats of equal values add up to the same value everywhere") {
  Volume ones({{24, 24, 24}, Vec3(1), Vec3(0)});
  std::fill(ones.values.begin(), ones.values.end(), 1.0f);
  const Detector d{7, 7, 1.37, 1.21};
  const Scan scan{d, parallel_views(d, {0, 90, 180})};
  const Projections p = project(ones, scan, {.model = Model::blob});
  for (float value : p.values) REQUIRE(value == Approx(24).epsilon(0.005));
}

TEST_CASE("The share of a voxel in a cast ray is what the ray spreads to it") {
  for (const auto& c : test::ct_cases()) {
    const auto frame = make_ray_frame(c.scan.detector, c.scan.views[3], c.grid);
    const VoxelBox box{
        {0, 0, 0}, {c.grid.size[0], c.grid.size[1], c.grid.size[2]}, {c.grid.size[0], c.grid.size[1], c.grid.size[2]}};
    for (const auto& [column, row] : {std::pair(15.0, 0.0), std::pair(11.25, 9.5), std::pair(20.0, 13.0)}) {
      const auto s = ray_samples(make_ray(frame, column, row), box.size, 0.6);
      std::vector<double> spread(static_cast<std::size_t>(c.grid.voxels()));
      spread_samples(s, spread.data(), box, 1.0);
      std::size_t n = 0;
      double worst = 0;
      for (std::int64_t k = 0; k < c.grid.size[2]; ++k)
        for (std::int64_t j = 0; j < c.grid.size[1]; ++j)
          for (std::int64_t i = 0; i < c.grid.size[0]; ++i, ++n)
            worst = std::max(worst, std::abs(spread[n] - share_of_voxel(s, double(i), double(j), double(k))));
      INFO(c.name << ", " << column << ", " << row);
      CHECK(worst < 1e-10);
    }
  }
}

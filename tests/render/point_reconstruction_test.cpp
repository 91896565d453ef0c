// Reconstruction of single points, against the backprojection of a grid and against its own slope.
#include "render/point_reconstruction.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/voxel_driven/view_gradient.hpp"
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/random_views.hpp"

using namespace backlit;

namespace {

/// Smooth on the scale of a pixel, so that differences of it are its slope.
Projections smooth_views(const Scan& scan) {
  Projections p(scan);
  for (std::int64_t v = 0; v < scan.view_count(); ++v)
    for (std::int64_t r = 0; r < scan.detector.rows; ++r)
      for (std::int64_t c = 0; c < scan.detector.columns; ++c)
        p.at(v, r, c) = static_cast<float>(std::sin(0.05 * static_cast<double>(c + 3 * v)) *
                                           std::cos(0.04 * static_cast<double>(r - v)));
  return p;
}

Vec3 with_step(Vec3 p, int axis, double step) {
  p[axis] += step;
  return p;
}

}  // namespace

TEST_CASE("The gradient of a point's place on the detector is the slope of the projection") {
  test::Random random(5);
  for (const auto& c : test::ct_cases()) {
    INFO(c.name);
    for (const View& view : c.scan.views) {
      const ViewMap<double> map = make_view_map(c.scan.detector, view);
      if (map.kind == DetectorKind::cylinder && !map.parallel) continue;
      const Vec3 p = random.vector(9);
      const auto g = position_gradient(map, p.x, p.y, p.z);
      for (int i = 0; i < 3; ++i) {
        const double h = 1e-4;
        const Vec3 low = with_step(p, i, -h), high = with_step(p, i, h);
        const auto a = project_point(map, low.x, low.y, low.z), b = project_point(map, high.x, high.y, high.z);
        CHECK(g.column[i] == Approx((b.column - a.column) / (2 * h)).margin(1e-6));
        CHECK(g.row[i] == Approx((b.row - a.row) / (2 * h)).margin(1e-6));
        CHECK(g.depth[i] == Approx((b.depth - a.depth) / (2 * h)).margin(1e-6));
      }
    }
  }
}

TEST_CASE("A point's value is what backprojection gives to a voxel there") {
  const auto cpu = make_backend("cpu");
  for (const auto& c : test::ct_cases()) {
    if (c.name == "laminographic")
      continue;  // one source lies on no circle about the axis: FDK's weight has no meaning
    INFO(c.name);
    const Projections p = smooth_views(c.scan);
    const auto ct = cpu->make_ct(c.grid, c.scan, {.precision = Precision::exact, .weighting = Weighting::fdk});
    const auto y = ct->make_range(c.scan.view_count()), x = ct->make_domain();
    cpu->upload(p.values.span(), *y);
    ct->back(*y, *x, ct->all(), Write::overwrite);
    Volume volume(c.grid);
    cpu->download(*x, volume.values.span());
    const PointReconstruction points(c.scan, p.values.span());
    double worst = 0, largest = 0;
    for (std::int64_t k = 0; k < c.grid.size[2]; ++k)
      for (std::int64_t j = 0; j < c.grid.size[1]; j += 3)
        for (std::int64_t i = 0; i < c.grid.size[0]; i += 2) {
          const Vec3 at = c.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
          worst = std::max(worst, std::abs(points.value(at) - static_cast<double>(volume.at(i, j, k))));
          largest = std::max(largest, std::abs(points.value(at)));
        }
    CHECK(largest > 0.5);
    CHECK(worst < 1e-6 * largest);
  }
}

TEST_CASE("A point's gradient is the slope of the values around it") {
  test::Random random(6);
  for (const auto& c : test::ct_cases()) {
    INFO(c.name);
    const Projections p = smooth_views(c.scan);
    const PointReconstruction points(c.scan, p.values.span());
    if (c.name == "cylinder") {
      CHECK_THROWS_WITH(points.sample(Vec3(0)),
                        Catch::Contains("no gradient for a detector curved about another axis"));
      continue;
    }
    for (int n = 0; n < 5; ++n) {
      Vec3 at = random.vector(5);
      if (c.scan.detector.rows == 1) at.z = 0;
      const auto s = points.sample(at);
      CHECK(s.value == Approx(points.value(at)));
      for (int i = 0; i < (c.scan.detector.rows == 1 ? 2 : 3); ++i) {
        const double h = 1.5;  // a pixel: less would see the kinks of interpolation
        const double slope = (points.value(with_step(at, i, h)) - points.value(with_step(at, i, -h))) / (2 * h);
        CHECK(s.gradient[i] == Approx(slope).margin(0.02));
      }
    }
  }
}

TEST_CASE("Behind a source there is nothing, beside the volume zero") {
  const auto c = test::ct_cases().front();
  Scan scan{c.scan.detector, {c.scan.views[0]}};
  const std::vector<float> ones(static_cast<std::size_t>(scan.detector.pixels()), 1.0f);
  const PointReconstruction points(scan, ones);
  CHECK(points.value(Vec3(0)) == Approx(1));
  CHECK(points.value(1.5 * scan.views[0].source) == 0);

  Volume volume({{3, 4, 2}, Vec3(2), Vec3(1, 0, 0)});
  for (std::int64_t i = 0; i < volume.values.size(); ++i) volume.values[i] = static_cast<float>(i);
  CutPlane plane = parse_plane("z=0.25", "plane");
  plane.center.x = 1;
  plane.pixel = 2;
  plane.width = 5;
  plane.height = 4;
  std::vector<float> values(20);
  cut_volume(volume, plane, values);
  CHECK(values[0] == 0);  // one pixel left of the volume
  CHECK(values[4] == 0);
  CHECK(values[1] == Approx(volume.at(0, 3, 0) + 0.625 * 12));  // the first row is the topmost
  CHECK(values[18] == Approx(volume.at(2, 0, 0) + 0.625 * 12));
  std::vector<float> too_few(19);
  CHECK_THROWS_AS(cut_volume(volume, plane, too_few), Failure);
}

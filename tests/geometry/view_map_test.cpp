#include "geometry/view_map.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/core/error.hpp>
#include "geometry/make_view_map.hpp"
#include "support/projectors/random_views.hpp"

using namespace backlit;
using test::odd_detector;
using test::Random;
using test::random_view;

namespace {

struct Case {
  const char* name;
  Detector detector;
  Beam beam;
};

std::vector<Case> cases() {
  const auto curved = Detector::Shape::curved;
  return {{"flat", odd_detector(), Beam::cone},
          {"flat, parallel", odd_detector(), Beam::parallel},
          {"curved, about the source's distance", odd_detector(curved), Beam::cone},
          {"curved, small radius", odd_detector(curved, 150), Beam::cone},
          {"curved, large radius", odd_detector(curved, 3000), Beam::cone},
          {"curved, parallel", odd_detector(curved, 150), Beam::parallel}};
}

}  // namespace

TEST_CASE("points of a ray project to the pixel the ray ends on, for every kind of detector") {
  Random random(11);
  for (const Case& c : cases()) {
    INFO(c.name);
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
      const View view = random_view(random, c.detector, c.beam, i % 2);
      const ViewMap<double> map = make_view_map(c.detector, view);
      const double column = random.between(0, 146), row = random.between(0, 60);
      const Vec3 point = test::point_on_ray(c.detector, view, column, row, random.between(-0.2, 0.8));
      const auto p = project_point(map, point.x, point.y, point.z);
      worst = std::max({worst, std::abs(p.column - column), std::abs(p.row - row)});
    }
    CHECK(worst < 1e-9);
  }
}

TEST_CASE("random points lie on the line from the source to the detector point they project to") {
  Random random(12);
  for (const Case& c : cases()) {
    INFO(c.name);
    for (int i = 0; i < 300; ++i) {
      const View view = random_view(random, c.detector, c.beam, i % 2);
      const Vec3 point = random.vector(40);
      const auto p = project_point(make_view_map(c.detector, view), point.x, point.y, point.z);
      REQUIRE(std::isfinite(p.column));
      const Vec3 end = detector_point(c.detector, view, p.column, p.row);
      const Vec3 ray = ray_direction(c.detector, view, p.column, p.row);
      CHECK(glm::length(glm::cross(ray, end - point)) < 1e-9);
    }
  }
}

TEST_CASE("a focused detector whose centre is moved along its arc or along v stays focused, along u it does not") {
  const Detector d = odd_detector(Detector::Shape::curved);
  View view = circular_views(d, {25}, 500, 800, {17, 6, 0, 0, 0})[0];
  CHECK(make_view_map(d, view).kind == DetectorKind::focused);
  view.center += 30.0 * view.u;
  const ViewMap<double> map = make_view_map(d, view);
  CHECK(map.kind == DetectorKind::cylinder);
  CHECK(std::abs(map.axis_side) > 20);
}

TEST_CASE("depth is what FDK divides by") {
  const Detector flat = odd_detector(), curved = odd_detector(Detector::Shape::curved);
  const Vec3 p(30, 40, 20);
  const View view = circular_views(flat, {0}, 500, 800)[0];
  CHECK(project_point(make_view_map(flat, view), p.x, p.y, p.z).depth == Approx(470));
  CHECK(project_point(make_view_map(curved, view), p.x, p.y, p.z).depth == Approx(std::hypot(470, 40)));
  const View beam = parallel_views(flat, {0})[0];
  CHECK(project_point(make_view_map(flat, beam), p.x, p.y, p.z).depth == 1);
  CHECK(axis_distance(view) == Approx(500));
  CHECK(axis_distance(beam) == 1);
}

TEST_CASE("points behind the source have w <= 0, rays beside a cylinder are in no pixel") {
  const Detector d = odd_detector();
  const View view = circular_views(d, {0}, 500, 800)[0];
  CHECK(project_point(make_view_map(d, view), 501.0, 3.0, 2.0).depth < 0);
  const Detector narrow = odd_detector(Detector::Shape::curved, 60);
  const auto p = project_point(make_view_map(narrow, view), 0.0, 400.0, 0.0);
  CHECK_FALSE((p.column >= -0.5 && p.column < 146.5));
}

TEST_CASE("maps in voxel coordinates agree with maps in mm") {
  Random random(13);
  for (const Case& c : cases()) {
    INFO(c.name);
    const View view = random_view(random, c.detector, c.beam);
    const ViewMap<double> map = make_view_map(c.detector, view);
    const Vec3 origin(-31, -27, -12), spacing(0.7, 0.9, 1.3);
    const ViewMap<double> voxels = in_voxels(map, origin, spacing);
    const Vec3 index(13, 55, 7), point = origin + spacing * index;
    const auto a = project_point(map, point.x, point.y, point.z), b = project_point(voxels, index.x, index.y, index.z);
    CHECK(a.column == Approx(b.column).epsilon(1e-11));
    CHECK(a.row == Approx(b.row).epsilon(1e-11));
    CHECK(a.depth == Approx(b.depth).epsilon(1e-11));
  }
}

TEST_CASE("single precision places points to 1e-3 pixel on a flat detector of 2048 columns, 5e-3 on a curved one") {
  Random random(14);
  for (Case c : cases()) {
    INFO(c.name);
    c.detector.columns = 2048;
    c.detector.rows = 1536;
    c.detector.pixel_u = c.detector.pixel_v = 0.05;
    double worst = 0;
    for (int i = 0; i < 500; ++i) {
      const View view = random_view(random, c.detector, c.beam);
      const Vec3 origin(-25, -25, -20), spacing(0.05, 0.05, 0.05);
      const ViewMap<double> map = in_voxels(make_view_map(c.detector, view), origin, spacing);
      const ViewMap<float> small = to_float(map);
      const Vec3 index(std::floor(random.between(0, 1000)), std::floor(random.between(0, 1000)),
                       std::floor(random.between(0, 800)));
      const auto a = project_point(map, index.x, index.y, index.z);
      const auto b =
          project_point(small, static_cast<float>(index.x), static_cast<float>(index.y), static_cast<float>(index.z));
      worst = std::max(
          {worst, std::abs(a.column - static_cast<double>(b.column)), std::abs(a.row - static_cast<double>(b.row))});
    }
    CHECK(worst < (c.detector.shape == Detector::Shape::flat ? 1e-3 : 5e-3));
    CHECK(worst > 0);
  }
}

TEST_CASE("oblique parallel rays on a cylinder are refused") {
  const Detector d = odd_detector(Detector::Shape::curved, 300);
  const View view = parallel_views(d, {0}, {0, 0, 5, 0, 0})[0];
  CHECK_THROWS_AS(make_view_map(d, view), Unsupported);
}

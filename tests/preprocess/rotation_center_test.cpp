#include <backlit/preprocess/rotation_center.hpp>

#include <catch2/catch.hpp>

#include <random>

#include <backlit/geometry/trajectory.hpp>
#include "support/recon/cylinder.hpp"

using namespace backlit;

namespace {

const std::vector<test::Cylinder> object{
    {9, -6, 42, 0.02}, {-12, 10, 9, 0.02}, {25, -20, 5, -0.01}, {15, 14, 3, 0.05}, {-15, -22, 6, 0.03}};
const std::vector<test::Cylinder> wide{
    {20, 5, 90, 0.01}, {-12, 10, 9, 0.02}, {25, -20, 5, -0.01}, {15, 14, 3, 0.05}, {-15, -22, 6, 0.03}};

/// Projects with the axis at `offset` columns from the middle, and looks for it from a scan that does not know.
double error(const Detector& d, const std::vector<View>& nominal, double offset,
             const std::vector<test::Cylinder>& thing = object) {
  const Scan blind{d, nominal};
  const double truth = d.middle_column() + offset;
  Projections p = test::project(with_center(blind, truth), thing);
  std::mt19937 random(3);
  std::normal_distribution<float> noise(0, 0.02f);
  for (float& v : p.values) v += noise(random);
  MemorySource source(Projections(blind, std::move(p.values)));
  const double found = find_center(source).center_px;
  CAPTURE(offset, found, truth);
  CHECK(std::abs(found - truth) <= 0.1);
  return found - truth;
}

void check_circular(Detector::Shape shape) {
  for (std::int64_t rows : {1, 5}) {
    Detector d{220, rows, 1, 1};
    d.shape = shape;
    for (double offset : {0.0, 5.43, -21.75}) {
      error(d, circular_views(d, equal_angles(240), 300, 500), offset);
      error(d, circular_views(d, equal_angles(240, 0, -360), 300, 500), offset);
      error(d, circular_views(d, equal_angles(210, 8, 210), 300, 500), offset);
      error(d, circular_views(d, equal_angles(240), 300, 500), offset, wide);
    }
  }
}

}  // namespace

TEST_CASE("the rotation centre is found in parallel scans") {
  const Detector d{180, 3, 1, 1};
  for (double offset : {0.0, 4.33, -17.65}) {
    error(d, parallel_views(d, equal_angles(180, 3, 360)), offset);
    error(d, parallel_views(d, equal_angles(181, 3, 181)), offset);
    error(d, parallel_views(d, equal_angles(180, 3, 180)), offset);
    error(d, parallel_views(d, equal_angles(180, 3, 360)), offset, wide);
  }
}

TEST_CASE("the rotation centre is found in fan and cone scans, flat detector") {
  check_circular(Detector::Shape::flat);
}

TEST_CASE("the rotation centre is found in fan and cone scans, curved detector") {
  check_circular(Detector::Shape::curved);
}

TEST_CASE("the rotation centre is refused where nothing was measured twice") {
  const Detector d{100, 1, 1, 1};
  MemorySource source(test::project({d, parallel_views(d, equal_angles(90, 0, 90))}, object));
  CHECK_THROWS_WITH(find_center(source),
                    "rotation centre: the scan measured too few rays from both sides to find it; "
                    "give the column on which the axis projects with `center` PIXELS");
}

TEST_CASE("the rotation centre of a half fan is found near the detector's edge") {
  const Detector d{180, 1, 1, 1};
  for (double offset : {-71.3, 52.0, 70.0}) error(d, circular_views(d, equal_angles(360), 300, 500), offset, wide);
}

TEST_CASE("a scan is moved to a centre") {
  for (auto shape : {Detector::Shape::flat, Detector::Shape::curved}) {
    Detector d{100, 5, 0.7, 1};
    d.shape = shape;
    const Scan scan{d, circular_views(d, equal_angles(7), 300, 500)};
    CHECK(center_of(scan) == Approx(49.5));
    CHECK(center_of(with_center(scan, 61.25)) == Approx(61.25));
    DetectorPlacement p;
    p.offset_u = 11.75;
    const Scan made{d, circular_views(d, equal_angles(7), 300, 500, p)};
    CHECK(glm::length(with_center(scan, 61.25).views[3].center - made.views[3].center) < 1e-9);
  }
}

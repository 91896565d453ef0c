#include "preprocess/filter/widened_scan.hpp"

#include <catch2/catch.hpp>

#include "geometry/make_view_map.hpp"
#include "support/projectors/random_views.hpp"

using namespace backlit;

namespace {

/// The largest distance (mm) between pixels that must be one and the same, and between columns they see a point at.
double difference(const Detector& d, const View& view, std::int64_t left, std::int64_t right) {
  const Scan scan{d, {view}}, wide = widened(scan, left, right);
  CHECK(wide.detector.columns == d.columns + left + right);
  CHECK(wide.detector.rows == d.rows);
  double worst = 0;
  for (double column = -2.5; column < static_cast<double>(d.columns); column += 7.25)
    for (double row = 0; row < static_cast<double>(d.rows); row += 5.5) {
      const Vec3 here = detector_point(d, view, column, row);
      const Vec3 there = detector_point(wide.detector, wide.views[0], column + static_cast<double>(left), row);
      worst = std::max(worst, glm::distance(here, there));
    }
  const auto was = project_point(make_view_map(d, view), 3.0, -7.0, 5.0);
  const auto is = project_point(make_view_map(wide.detector, wide.views[0]), 3.0, -7.0, 5.0);
  worst = std::max({worst, std::abs(was.column + static_cast<double>(left) - is.column), std::abs(was.row - is.row)});
  return std::max(worst, std::abs(was.depth - is.depth));
}

}  // namespace

TEST_CASE("a widened detector keeps its pixels where they are") {
  test::Random random(5);
  const Detector flat = test::odd_detector(), focused = test::odd_detector(Detector::Shape::curved);
  const Detector cylinder = test::odd_detector(Detector::Shape::curved, 350);
  for (int i = 0; i < 20; ++i)
    for (const auto& [left, right] : {std::pair<std::int64_t, std::int64_t>{0, 91}, {90, 0}, {13, 4}, {0, 0}}) {
      CAPTURE(i, left, right);
      CHECK(difference(flat, test::random_view(random, flat), left, right) < 1e-9);
      CHECK(difference(flat, test::random_view(random, flat, Beam::cone, true), left, right) < 1e-9);
      CHECK(difference(flat, test::random_view(random, flat, Beam::parallel), left, right) < 1e-9);
      const View untilted = circular_views(focused, {17.0 * i}, 500, 800, {12.5, -4, 0, 0, 0})[0];
      CHECK(difference(focused, untilted, left, right) < 1e-9);
      CHECK(difference(cylinder, untilted, left, right) < 1e-9);
    }
}

// Planes through two sources: what their sampling and the views' noise do to the geometry that agrees best.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>
#include <random>

#include <backlit/calibration/geometry_correction.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include "calibration/consistency.hpp"
#include "calibration/least_squares.hpp"

using namespace backlit;

namespace {

/// Twelve views of 72 x 72 pixels.
Scan sparse_cone() {
  const Detector d{72, 72, 2.4, 2.4, {}, 0};
  return {d, circular_views(d, equal_angles(12), 400, 600)};
}

CalibrationViews all_views(const Projections& data) {
  CalibrationViews views{{}, data.scan.detector.columns, data.scan.detector.rows, 1, {}};
  views.index.resize(static_cast<std::size_t>(data.scan.view_count()));
  std::iota(views.index.begin(), views.index.end(), 0);
  for (std::int64_t v = 0; v < data.scan.view_count(); ++v)
    views.values.emplace_back(data.view(v).begin(), data.view(v).end());
  return views;
}

}  // namespace

TEST_CASE("Planes: a face across the axis leaves the row where it is") {
  const Detector d{144, 150, 0.27, 0.27, {}, 0};
  const Scan plain{d, circular_views(d, equal_angles(12), 100, 150)};
  Projections data(corrected(plain, {.in_plane = 1.1}));  // faces cross rows of pixels, as on any real detector
  for (const double height : {-0.3, 0.1}) {
    Phantom tooth = load_phantom("tooth");  // its neck ends in a face
    for (Body& body : tooth.bodies) {
      body.center.z += height;
      for (ClipPlane& clip : body.clips) clip.point.z += height;
    }
    project_phantom(tooth, data.scan, 0, data.scan.view_count(), 3, data.values.span());
    const auto planes = make_epipolar(all_views(data), data.scan, 15, PlaneQuantity::integral);
    const LeastSquares found = minimize(
        [&](const std::vector<double>& row) { return planes->residuals(corrected(data.scan, {.row_offset = row[0]})); },
        {0.0}, {0.25});
    INFO(height);
    CHECK(std::abs(found.parameters[0]) < 0.05);
  }
}

TEST_CASE("Planes: noise disagrees equally at any distance of the detector") {
  Projections data(sparse_cone());
  std::mt19937 random(3);
  for (std::int64_t v = 0; v < data.scan.view_count(); ++v)
    for (std::int64_t row = 8; row < 64; ++row)
      for (std::int64_t column = 8; column < 64; ++column)
        data.at(v, row, column) = 1e-4f * static_cast<float>(random() % 2001) - 0.1f;
  const auto planes = make_epipolar(all_views(data), data.scan, 60, PlaneQuantity::integral);
  const auto disagreement = [&](double farther) {
    return mean_square(planes->residuals(corrected(data.scan, {.detector_distance = farther})));
  };
  const double here = disagreement(1);
  for (const double farther : {0.9, 0.95, 1.05, 1.1}) {
    INFO(farther);
    CHECK(disagreement(farther) == Approx(here).epsilon(0.05));
  }
}

#include <backlit/geometry/trajectory.hpp>

#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/core/error.hpp>
#include "geometry/make_view_map.hpp"
#include "support/projectors/random_views.hpp"

using namespace backlit;
using test::odd_detector;

namespace {

void check_close(const Vec3& a, const Vec3& b) { CHECK(glm::length(a - b) < 1e-9); }

DetectorPosition<double> seen(const Detector& d, const View& view, const Vec3& p) {
  return project_point(make_view_map(d, view), p.x, p.y, p.z);
}

}  // namespace

TEST_CASE("circular views stand where the design says") {
  const Detector d = odd_detector();
  const auto views = circular_views(d, {0, 90, 30}, 500, 800);
  check_close(views[0].source, {500, 0, 0});
  check_close(views[0].center, {-300, 0, 0});
  check_close(views[0].u, {0, 0.8, 0});
  check_close(views[0].v, {0, 0, 1.1});
  check_close(views[1].source, {0, 500, 0});
  check_close(views[1].u, {-0.8, 0, 0});
  check_close(views[2].source, {500 * std::sqrt(0.75), 250, 0});
  const auto angles = equal_angles(4, 10, 200);
  CHECK(angles == std::vector<double>{10, 60, 110, 160});
}

TEST_CASE("parallel and laminographic views") {
  const Detector d = odd_detector();
  const View flat = parallel_views(d, {90})[0];
  check_close(flat.direction, {0, -1, 0});
  check_close(flat.center, {0, 0, 0});
  check_close(flat.u, {-0.8, 0, 0});
  const View raised = laminographic_views(d, {0}, 500, 800, 30)[0];
  check_close(raised.source, {500 * std::sqrt(0.75), 0, 250});
  check_close(raised.center, {-300 * std::sqrt(0.75), 0, -150});
  check_close(raised.v, {-0.55, 0, 1.1 * std::sqrt(0.75)});
  const View beam = laminographic_views(d, {0}, 0, 0, 30)[0];
  CHECK(beam.beam == Beam::parallel);
  check_close(beam.direction, {-std::sqrt(0.75), 0, -0.5});
}

TEST_CASE("helical views climb pitch mm a turn, either way") {
  const Detector d = odd_detector();
  for (double pitch : {40.0, -40.0}) {
    const auto views = helical_views(d, {15, 105, 375, 735}, 500, 800, pitch, -12);
    CHECK(views[0].source.z == Approx(-12));
    CHECK(views[1].source.z == Approx(-12 + pitch / 4));
    CHECK(views[2].source.z == Approx(-12 + pitch));
    CHECK(views[3].center.z == Approx(-12 + 2 * pitch));
    check_close(views[2].v, views[0].v);
  }
}

TEST_CASE("the axis projects to the middle column plus the offset, the mid-plane to the middle row plus the offset") {
  DetectorPlacement place;
  place.offset_u = 12.25;
  place.offset_v = -3.5;
  for (auto shape : {Detector::Shape::flat, Detector::Shape::curved})
    for (double radius : {0.0, 350.0}) {
      const Detector d = odd_detector(shape, radius);
      for (const View& view : circular_views(d, {0, 77, 201}, 500, 800, place))
        for (double z : {-20.0, 0.0, 15.0}) {
          const auto p = seen(d, view, {0, 0, z});
          CHECK(p.column == Approx(73 + 12.25).epsilon(1e-12));
          if (z == 0) CHECK(p.row == Approx(30 - 3.5).epsilon(1e-12));
        }
      if (radius > 0)
        for (const View& view : parallel_views(d, {0, 77, 201}, place))
          CHECK(seen(d, view, {0, 0, 4}).column == Approx(73 + 12.25).epsilon(1e-12));
    }
}

TEST_CASE("a tilted detector still shows the origin at the middle plus the offsets") {
  DetectorPlacement place{5.5, -2.25, 7, -4, 3};
  const Detector d = odd_detector();
  for (const View& view : circular_views(d, {10, 130}, 500, 800, place)) {
    const auto p = seen(d, view, Vec3(0));
    CHECK(p.column == Approx(73 + 5.5).epsilon(1e-12));
    CHECK(p.row == Approx(30 - 2.25).epsilon(1e-12));
  }
}

TEST_CASE("tilts turn right-handed about u, then v, then the normal") {
  const Detector d = odd_detector();
  const double c = std::cos(10 * radians_per_degree), s = std::sin(10 * radians_per_degree);
  // At angle 0: u = +y, v = +z, so the normal u x v = +x.
  check_close(circular_views(d, {0}, 500, 800, {0, 0, 10, 0, 0})[0].v, {1.1 * s, 0, 1.1 * c});
  check_close(circular_views(d, {0}, 500, 800, {0, 0, 0, 10, 0})[0].u, {-0.8 * s, 0.8 * c, 0});
  check_close(circular_views(d, {0}, 500, 800, {0, 0, 0, 0, 10})[0].u, {0, 0.8 * c, 0.8 * s});
}

TEST_CASE("an offset slides a curved detector along its arc, so every column stays equally far from the source") {
  DetectorPlacement place;
  place.offset_u = 31.5;
  const Detector d = odd_detector(Detector::Shape::curved);
  const View view = circular_views(d, {40}, 500, 800, place)[0];
  for (double column : {0.0, 40.5, 146.0})
    CHECK(glm::length(detector_point(d, view, column, 30) - view.source) == Approx(800).epsilon(1e-12));
  // The arc itself is that of the detector without offset, columns shifted.
  const View centred = circular_views(d, {40}, 500, 800)[0];
  check_close(detector_point(d, view, 100, 11), detector_point(d, centred, 100 - 31.5, 11));
  CHECK(make_view_map(d, view).kind == DetectorKind::focused);
}

TEST_CASE("a scan names the first view that cannot be used, and why") {
  Scan scan;
  const auto text = [&] {
    try {
      scan.check("a.scan.toml");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("fine");
  };
  CHECK(text() == "a.scan.toml: a detector of 0 x 0 pixels; give at least one column and one row");
  scan.detector = odd_detector();
  CHECK(text() == "a.scan.toml: no views; give at least one");
  const auto good = circular_views(scan.detector, {0, 10, 20}, 500, 800);
  scan.views = good;
  CHECK(text() == "fine");
  scan.views[1].v = 2.0 * scan.views[1].u;
  CHECK(text() == "a.scan.toml: view 1 cannot be used: its u and v are zero or parallel to each other");
  scan.views = good;
  scan.views[2].source = scan.views[2].center + 5.0 * scan.views[2].u;
  CHECK(text() == "a.scan.toml: view 2 cannot be used: its rays run along the detector's plane");
  scan.views[2].source = scan.views[2].center;
  CHECK(text() == "a.scan.toml: view 2 cannot be used: its source is on the detector");
  scan.views[2].source.z = std::nan("");
  CHECK(text() == "a.scan.toml: view 2 cannot be used: it holds numbers that are not finite");
  scan.views[2] = parallel_views(scan.detector, {20})[0];
  CHECK(text() == "a.scan.toml: view 2 cannot be used: its beam differs from the first view's");
  scan.views = {scan.views[2]};
  scan.detector.shape = Detector::Shape::curved;
  CHECK(text() ==
        "a.scan.toml: a curved detector of unknown radius: parallel beams have no source to focus on; "
        "give its radius in mm");
  scan.detector.radius = 10;
  CHECK(text() ==
        "a.scan.toml: view 0 cannot be used: its columns reach more than once around the cylinder of its curved "
        "detector");
  scan.detector.radius = -1;
  CHECK(text() ==
        "a.scan.toml: a curved detector of radius -1 mm; give a positive radius, or 0 for one focused on the source");
  scan.detector = odd_detector();
  scan.detector.pixel_v = 0;
  CHECK(text() == "a.scan.toml: pixels of 0.8 x 0 mm; give positive sizes");
  scan.detector.pixel_v = 1;
  scan.views[0].direction = Vec3(0);
  CHECK(text() == "a.scan.toml: view 0 cannot be used: its ray direction is zero");
}

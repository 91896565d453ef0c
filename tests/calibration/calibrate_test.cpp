// The geometry of simulated scans, found from their projections alone.
#include <backlit/calibration/calibrate.hpp>
#include <backlit/calibration/calibrated_number.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/phantom/phantom.hpp>
#include "calibration/least_squares.hpp"

using namespace backlit;

namespace {

Body ellipsoid(Vec3 center, Vec3 half, double value) {
  Body body;
  body.center = center;
  body.half = half;
  body.value = value;
  return body;
}

/// Smooth enough for coarse pixels, without symmetry, within 45 mm of the origin.
Phantom blobs() {
  return {"blobs",
          {ellipsoid({0, 0, 0}, {40, 32, 36}, 0.02), ellipsoid({14, 9, 7}, {9, 12, 8}, 0.02),
           ellipsoid({-17, 6, -9}, {7, 8, 12}, 0.03), ellipsoid({5, -16, 4}, {10, 6, 7}, -0.015)}};
}

/// What a scanner with this error measures, under the geometry that its file gives.
std::unique_ptr<MemorySource> measured(const Scan& file, const GeometryCorrection& error,
                                       const Phantom& phantom = blobs(), double photons = 0) {
  Projections data(corrected(file, error));
  project_phantom(phantom, data.scan, 0, file.view_count(), 2, data.values.span());
  if (photons > 0)
    for (std::int64_t i = 0; i < file.view_count(); ++i) add_noise({photons, 0, 7}, i, data.view(i));
  return std::make_unique<MemorySource>(Projections(file, std::move(data.values)));
}

const CalibratedParameter& parameter(const Calibration& c, const std::string& name) {
  for (const CalibratedParameter& p : c.parameters)
    if (p.name == name) return p;
  FAIL("no parameter " + name);
  return c.parameters.front();
}

Detector detector(std::int64_t columns, std::int64_t rows, double pixel) {
  return {columns, rows, pixel, pixel, {}, 0};
}

}  // namespace

TEST_CASE("A correction moves views as a trajectory with these offsets, tilts and angles does") {
  const Detector d = detector(37, 29, 1.5);
  const auto angles = equal_angles(11, 20);
  const Scan plain{d, circular_views(d, angles, 400, 600)};
  DetectorPlacement placed;
  placed.offset_u = 3.25;
  placed.offset_v = -1.5;
  const auto near = [](const Scan& a, const std::vector<View>& b) {
    double most = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
      most = std::max({most, glm::length(a.views[i].source - b[i].source), glm::length(a.views[i].center - b[i].center),
                       glm::length(a.views[i].u - b[i].u), glm::length(a.views[i].v - b[i].v)});
    return most;
  };
  CHECK(near(corrected(plain, {.column_offset = 3.25, .row_offset = -1.5}),
             circular_views(d, angles, 400, 600, placed)) < 1e-9);
  CHECK(near(corrected(plain, {.detector_distance = 1.02}), circular_views(d, angles, 400, 612)) < 1e-9);
  CHECK(near(corrected(plain, {.axis_distance = 1.1}), circular_views(d, angles, 440, 600)) < 1e-9);
  placed = {};
  placed.tilt_u = 2;
  placed.tilt_v = -1;
  placed.tilt_n = 0.75;
  CHECK(near(corrected(plain, {.tilt_u = 2, .tilt_v = -1, .in_plane = 0.75}),
             circular_views(d, angles, 400, 600, placed)) < 1e-9);
  std::vector<double> back;
  for (const double a : angles) back.push_back(-a);
  placed = {};
  placed.offset_u = 2;
  const Scan offset{d, circular_views(d, angles, 400, 600, placed)};
  CHECK(near(corrected(offset, {.reversed = true}), circular_views(d, back, 400, 600, placed)) < 1e-9);
}

TEST_CASE("A trajectory is found in its views, tilts and offsets included") {
  const Detector d = detector(40, 30, 0.8);
  DetectorPlacement placed{2.5, -3, 1.5, -2, 0.7};
  for (const bool parallel : {false, true}) {
    const auto angles = equal_angles(17, -35, -200);
    const Scan scan{d, parallel ? parallel_views(d, angles, placed) : circular_views(d, angles, 300, 520, placed)};
    const auto found = find_trajectory(scan);
    REQUIRE(found);
    CHECK(found->placement.offset_u == Approx(2.5));
    CHECK(found->placement.offset_v == Approx(-3));
    CHECK(found->placement.tilt_u == Approx(1.5));
    CHECK(found->placement.tilt_v == Approx(-2));
    CHECK(found->placement.tilt_n == Approx(0.7));
    CHECK(found->source_to_detector == Approx(parallel ? 0 : 520));
    REQUIRE(found->arc);
    CHECK(found->arc->arc_deg == Approx(-200));
  }
  Scan bent{d, circular_views(d, equal_angles(9), 300, 520)};
  bent.views[4].center += 0.1 * detector_normal(bent.views[4]).normal;
  CHECK_FALSE(find_trajectory(bent));
}

TEST_CASE("A trajectory is found in views that were shifted one by one, and written back exactly") {
  const Detector d = detector(40, 30, 0.8);
  std::vector<ViewShift> shifts(9);
  for (std::size_t i = 0; i < shifts.size(); ++i)
    shifts[i] = {0.25 * static_cast<double>(i) - 1, i % 3 == 0 ? 0.5 : -0.25};  // mean 0
  for (const bool parallel : {false, true}) {
    const DetectorPlacement placed{2.5, -3, 1.5, -2, 0.7};
    const Scan rest{d, parallel ? parallel_views(d, equal_angles(9), placed)
                                : circular_views(d, equal_angles(9), 300, 520, placed)};
    const Scan moved = shifted(rest, shifts);
    const auto found = find_trajectory(moved);
    REQUIRE(found);
    CHECK(found->placement.offset_u == Approx(2.5));
    CHECK(found->placement.offset_v == Approx(-3));
    REQUIRE(found->shifts.size() == shifts.size());
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      CHECK(found->shifts[i].u == Approx(shifts[i].u).margin(1e-9));
      CHECK(found->shifts[i].v == Approx(shifts[i].v).margin(1e-9));
    }
    const std::string text = geometry_toml(d, *found);
    const ScanGeometry again = read_scan_geometry(TomlTable::parse(text, "moved.scan.toml"), {}, {});
    CHECK(again.scan.views == make_views(*found, d));
    CHECK(again.toml == text);
  }
}

TEST_CASE("A correction of views that were shifted one by one leaves their shifts and their common plane") {
  const Detector d = detector(40, 30, 0.8);
  const std::vector<ViewShift> shifts{{1.5, -2}, {-0.5, 1}, {0.25, 0.5}, {-2, 3}, {0.75, -2.5}};  // mean 0
  const DetectorPlacement placed{2.5, -3, 1.5, -2, 0.7};
  for (const bool parallel : {false, true}) {
    const Scan rest{d, parallel ? parallel_views(d, equal_angles(5), placed)
                                : circular_views(d, equal_angles(5), 300, 520, placed)};
    GeometryCorrection error{.row_offset = 2, .in_plane = -4};
    if (!parallel) error.detector_distance = 1.02, error.tilt_v = 3;
    const auto found = find_trajectory(corrected(shifted(rest, shifts), error));
    REQUIRE(found);
    CHECK(found->placement.tilt_n == Approx(-3.3).margin(0.2));
    REQUIRE(found->shifts.size() == shifts.size());
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      CHECK(found->shifts[i].u == Approx(shifts[i].u).margin(1e-9));
      CHECK(found->shifts[i].v == Approx(shifts[i].v).margin(1e-9));
    }
  }
}

TEST_CASE("A calibrated number has changed by what it is more than before") {
  const Detector d = detector(72, 72, 2.4);
  const Scan file{d, circular_views(d, equal_angles(20), 400, 600, {.offset_u = 8})};
  Calibration found;
  found.parameters = {{"detector_distance", "", 1, 0, false, "left", {}, {}, ""},
                      {"tilt_v", "deg", 2, 0.1, true, "", {}, {}, ""}};
  found.correction.tilt_v = 2;
  found.scan = corrected(file, found.correction);
  const CalibratedNumber distance = calibrated_numbers(found, file).front();
  CHECK(distance.name == "source_to_detector_mm");
  CHECK(distance.value != Approx(600).margin(0.1));  // the tilted plane meets the central ray elsewhere
  CHECK(distance.change == Approx(distance.value - 600));
  CHECK_THAT(distance.reason, Catch::Contains("central ray"));
}

TEST_CASE("Least squares finds the minimum of Rosenbrock's valley, and leaves a fixed parameter") {
  const Residuals valley = [](const std::vector<double>& p) {
    return std::vector<float>{static_cast<float>(10 * (p[1] - p[0] * p[0])), static_cast<float>(1 - p[0]),
                              std::numeric_limits<float>::quiet_NaN()};
  };
  const LeastSquares found = minimize(valley, {-1.2, 1, 5}, {1e-2, 1e-2, 0}, 200);
  CHECK(found.parameters[0] == Approx(1).margin(2e-2));
  CHECK(found.parameters[1] == Approx(1).margin(4e-2));
  CHECK(found.parameters[2] == 5);
}

TEST_CASE("Cone beam: column offset and rotation in the detector's plane, from far off and with noise") {
  const Detector d = detector(72, 64, 2.4);
  const Scan file{d, circular_views(d, equal_angles(40), 400, 600)};
  const GeometryCorrection error{.column_offset = -5.3, .in_plane = 1.7};
  const auto source = measured(file, error, blobs(), 1e5);
  CalibrationOptions options;
  options.views = 20;
  const Calibration found = calibrate(*source, options);
  CHECK(parameter(found, "column_offset").value == Approx(-5.3).margin(0.1));
  CHECK(parameter(found, "in_plane").value == Approx(1.7).margin(0.1));
  CHECK(parameter(found, "column_offset").determined);
  CHECK_FALSE(parameter(found, "tilt_u").determined);
  CHECK(found.after < 0.2 * found.before);
  CHECK_FALSE(found.correction.reversed);
}

namespace {

/// A cone-beam scan that `blobs()` fill.
Scan cone(std::int64_t views, double arc = 360, double source = 400) {
  const Detector d = detector(72, 72, 2.4);
  return {d, circular_views(d, equal_angles(views, 0, arc), source, 1.5 * source)};
}

/// The blobs with pins about them: what lies far from the axis determines the distance.
Phantom pins() {
  Phantom out = blobs();
  for (int i = 0; i < 9; ++i) {
    const double turn = 2 * pi * i / 9, radius = 34 + i;
    out.bodies.push_back(ellipsoid({radius * std::cos(turn), radius * std::sin(turn), 6.0 * i - 24}, {3, 3, 3}, 0.08));
  }
  return out;
}

/// What a calibration found, against what was simulated: within limits, or three stated uncertainties, but the distance
/// within 1.8 % in any case.
void check_found(const Calibration& found, const GeometryCorrection& truth, double loose = 1) {
  const auto check = [&](const char* name, double GeometryCorrection::*member, double limit) {
    const CalibratedParameter& p = parameter(found, name);
    INFO(name << " +- " << p.uncertainty << " " << p.reason);
    CHECK(p.value == found.correction.*member);
    CHECK(p.value == Approx(truth.*member).margin(std::max(loose * limit, 3 * p.uncertainty)));
    CHECK(p.uncertainty < 4 * loose * limit);
  };
  check("column_offset", &GeometryCorrection::column_offset, 0.05);
  check("row_offset", &GeometryCorrection::row_offset, 0.2);
  check("in_plane", &GeometryCorrection::in_plane, 0.03);
  check("tilt_v", &GeometryCorrection::tilt_v, 0.15);
  check("detector_distance", &GeometryCorrection::detector_distance, 0.004);
  CHECK(found.correction.detector_distance == Approx(truth.detector_distance).margin(0.018 * loose));
}

}  // namespace

TEST_CASE("Cone beam: offsets, rotation, tilt and distance at once, with noise") {
  const GeometryCorrection error{
      .detector_distance = 1.04, .column_offset = 2.1, .row_offset = -1.6, .tilt_v = 0.6, .in_plane = 0.8};
  const Calibration found = calibrate(*measured(cone(90), error, pins(), 1e5));
  check_found(found, error);
  for (const char* name : {"column_offset", "row_offset", "in_plane", "tilt_v", "detector_distance"}) {
    INFO(name);
    CHECK(parameter(found, name).determined);
    CHECK(parameter(found, name).uncertainty > 0);
  }
  CHECK_FALSE(parameter(found, "tilt_u").determined);
  CHECK(found.correction.tilt_u == 0);
}

TEST_CASE("Cone beam: pixels twice as high as wide, and twice as wide as high") {
  const bool high = GENERATE(true, false);
  const Detector d = high ? Detector{72, 40, 2.4, 4.8, {}, 0} : Detector{40, 72, 4.8, 2.4, {}, 0};
  GeometryCorrection error{.column_offset = 2.1, .row_offset = -1.6, .tilt_v = 0.6, .in_plane = 0.8};
  (high ? error.row_offset : error.column_offset) /= 2;
  const Scan file{d, circular_views(d, equal_angles(60), 400, 600)};
  const Calibration found = calibrate(*measured(file, error, pins(), 1e5), {.views = 16, .columns = 72});
  CAPTURE(high);
  check_found(found, error, 2);
}

TEST_CASE("Cone beam: each error alone") {
  for (const GeometryCorrection& error : {GeometryCorrection{.detector_distance = 0.96},
                                          {.row_offset = 2.5},
                                          {.tilt_v = -1.2},
                                          {.column_offset = -3.4, .in_plane = -1.5}})
    check_found(calibrate(*measured(cone(120), error, pins()), {.views = 24, .columns = 72}), error);
}

TEST_CASE("Errors of all parameters at once, of random sizes, are found in noisy cone, fan and parallel beams") {
  const unsigned seed = GENERATE(1u, 2u);
  std::mt19937 random(seed);
  const auto any = [&](double most) { return std::uniform_real_distribution<double>(-most, most)(random); };
  const auto check = [&](const Calibration& found, const char* name, double truth, double limit) {
    const CalibratedParameter& p = parameter(found, name);
    INFO("seed " << seed << ", " << name << " " << truth << ", found " << p.value << " +- " << p.uncertainty);
    CHECK(p.determined);
    CHECK(std::abs(p.value - truth) < std::max(limit, 3 * p.uncertainty));
    CHECK(p.uncertainty < 4 * limit);
  };
  {
    GeometryCorrection error{.detector_distance = 1 + any(0.03), .column_offset = any(6), .row_offset = any(4)};
    error.tilt_v = any(1.5);
    error.in_plane = any(2);
    error.reversed = seed == 2;
    const Calibration found = calibrate(*measured(cone(90), error, pins(), 1e5));
    CHECK(found.correction.reversed == error.reversed);
    check(found, "column_offset", error.column_offset, 0.1);
    check(found, "row_offset", error.row_offset, 0.3);
    check(found, "in_plane", error.in_plane, 0.05);
    check(found, "tilt_v", error.tilt_v, 0.2);
    check(found, "detector_distance", error.detector_distance, 0.004);
  }
  const Detector row = detector(160, 1, 1.1), plane = detector(72, 48, 1.6);
  {
    const GeometryCorrection error{.detector_distance = 1 + any(0.03), .column_offset = any(8)};
    const Scan file{row, circular_views(row, equal_angles(240, any(180)), 400, 600)};
    const Calibration found = calibrate(*measured(file, error, blobs(), 1e6));
    check(found, "column_offset", error.column_offset, 0.02);
    const CalibratedParameter& distance = parameter(found, "detector_distance");
    INFO(distance.value << " +- " << distance.uncertainty << " " << distance.reason);
    CHECK((!distance.determined || std::abs(distance.value - error.detector_distance) < 3 * distance.uncertainty));
  }
  {
    const GeometryCorrection error{.column_offset = any(8), .in_plane = any(2)};
    const Scan file{plane, parallel_views(plane, equal_angles(90, any(180), 180))};
    const Calibration found = calibrate(*measured(file, error, blobs(), 1e5));
    check(found, "column_offset", error.column_offset, 0.05);
    check(found, "in_plane", error.in_plane, 0.06);
  }
}

TEST_CASE("Cone beam: beam hardening does not disturb the distance") {
  const GeometryCorrection error{.detector_distance = 1.02, .column_offset = 1.3, .row_offset = 1.1, .in_plane = -0.5};
  const Scan file = cone(90);
  Projections data(corrected(file, error));
  project_phantom(pins(), data.scan, 0, file.view_count(), 2, data.values.span());
  for (float& p : data.values.span()) p -= 0.02f * p * p;
  MemorySource source(Projections(file, std::move(data.values)));
  check_found(calibrate(source), error, 2);
}

TEST_CASE("Cone beam: a short scan") {
  const GeometryCorrection error{.column_offset = 1.7, .row_offset = -1.2, .in_plane = 0.6};
  check_found(calibrate(*measured(cone(120, 215), error, pins())), error, 2);
}

TEST_CASE("Cone beam: a detector to one side of the axis") {
  const Detector d = detector(48, 64, 2.4);
  DetectorPlacement aside;
  aside.offset_u = -14;  // 9.5 columns beyond the axis
  const Scan file{d, circular_views(d, equal_angles(120), 400, 600, aside)};
  const Calibration found = calibrate(*measured(file, {.column_offset = 1.2, .in_plane = 0.5}));
  CHECK(found.correction.column_offset == Approx(1.2).margin(0.1));
  CHECK(found.correction.in_plane == Approx(0.5).margin(0.15));
  CHECK(found.correction.row_offset == 0);
  for (const auto& [name, why] :
       {std::pair{"row_offset", "cut off"}, {"tilt_v", "cut off"}, {"tilt_u", "stretched along the axis"}}) {
    CHECK_FALSE(parameter(found, name).determined);
    CHECK_THAT(parameter(found, name).reason, Catch::Contains(why));
  }
}

TEST_CASE("Cone beam: the curve of a distance that rays determine is that of the rays") {
  const Detector d = detector(128, 12, 1.4);  // the body is taller: planes are cut off
  const Scan file{d, circular_views(d, equal_angles(120), 400, 600)};
  Phantom body = pins();
  for (Body& b : body.bodies) b.center.z *= 0.1;  // in the plane of the sources
  const Calibration found = calibrate(*measured(file, {.detector_distance = 1.02, .column_offset = 3.4}, body),
                                      {.views = 16, .curves = true});
  const CalibratedParameter &distance = parameter(found, "detector_distance"),
                            &column = parameter(found, "column_offset");
  INFO(distance.value << " +- " << distance.uncertainty << " " << distance.reason);
  REQUIRE(distance.determined);
  CHECK(distance.value == Approx(1.02).margin(0.004));
  CHECK(distance.compared == "rays and the opposite ones");
  CHECK(column.compared == "planes through two sources");
  REQUIRE(distance.criterion.size() == distance.at.size());
  const auto least = std::ranges::min_element(distance.criterion) - distance.criterion.begin();
  CHECK(distance.at[static_cast<std::size_t>(least)] == Approx(1.02).margin(0.007));
}

TEST_CASE("Cone beam: a ball on the axis determines the column offset alone, almost parallel rays no row offset") {
  const Phantom ball{"ball", {ellipsoid({0, 0, 0}, {35, 35, 35}, 0.02)}};
  const Calibration round = calibrate(*measured(cone(40), {.column_offset = 2}, ball), {.views = 16});
  CHECK(round.correction.column_offset == Approx(2).margin(0.1));
  for (const char* name : {"row_offset", "in_plane", "tilt_u", "detector_distance"}) {
    INFO(name);
    CHECK_FALSE(parameter(round, name).determined);
    CHECK_FALSE(parameter(round, name).reason.empty());
  }
  const Calibration far =
      calibrate(*measured(cone(40, 360, 40000), {.column_offset = 2, .in_plane = 0.7}), {.views = 16});
  CHECK(far.correction.column_offset == Approx(2).margin(0.1));
  for (const char* name : {"row_offset", "tilt_u", "tilt_v", "detector_distance"}) {
    INFO(name);
    CHECK_FALSE(parameter(far, name).determined);
  }
}

TEST_CASE("Cone beam: an object that turned in the opposite direction") {
  const Detector d = detector(56, 48, 3);
  const Scan file{d, circular_views(d, equal_angles(30), 400, 600)};
  CalibrationOptions options;
  options.views = 15;
  const Calibration found = calibrate(*measured(file, {.column_offset = 1.5, .reversed = true}), options);
  CHECK(found.correction.reversed);
  CHECK(parameter(found, "column_offset").value == Approx(1.5).margin(0.15));
}

TEST_CASE("Fan beam: column offset and the detector's distance") {
  const Detector d = detector(160, 1, 1.1);
  const Scan file{d, circular_views(d, equal_angles(240), 400, 600)};
  const Calibration found = calibrate(*measured(file, {.detector_distance = 1.03, .column_offset = 6.4}, blobs(), 1e6));
  CHECK(parameter(found, "column_offset").value == Approx(6.4).margin(0.02));
  CHECK(parameter(found, "detector_distance").value == Approx(1.03).margin(0.004));
}

TEST_CASE("Fan beams: the direction of rotation is found where opposite rays agree in one alone") {
  for (const bool curved : {false, true}) {
    Detector d = detector(96, 1, 1.7);
    if (curved) d.shape = Detector::Shape::curved;
    const Scan file{d, circular_views(d, equal_angles(120), 400, 600)};
    for (const bool reversed : {false, true}) {
      CAPTURE(curved, reversed);
      const Calibration found = calibrate(*measured(file, {.column_offset = 4.3, .reversed = reversed}, blobs(), 1e6));
      CHECK(found.direction_determined);
      CHECK(found.correction.reversed == reversed);
      CHECK(parameter(found, "column_offset").value == Approx(4.3).margin(0.08));
    }
  }
}

TEST_CASE("The direction of rotation is left alone where no ray tells it, and why is said") {
  const Detector row = detector(120, 1, 1.4), plane = detector(48, 24, 2.4);
  const Phantom ball{"ball", {ellipsoid({0, 0, 0}, {35, 35, 35}, 0.02)}};
  const Scan fan{row, circular_views(row, equal_angles(90), 400, 600)},
      parallel{plane, parallel_views(plane, equal_angles(60))};
  const Calibration round = calibrate(*measured(fan, {.column_offset = 2}, ball));
  CHECK_FALSE(round.direction_determined);
  CHECK_FALSE(round.correction.reversed);
  CHECK_THAT(round.direction_reason, Catch::Contains("in both directions"));
  const Calibration mirrored = calibrate(*measured(parallel, {.column_offset = 2}));
  CHECK_FALSE(mirrored.direction_determined);
  CHECK_THAT(mirrored.direction_reason, Catch::Contains("mirror image"));
}

TEST_CASE("Fan beam: a known length gives the distance from source to axis") {
  const Detector d = detector(160, 1, 1.1);
  const Scan file{d, circular_views(d, equal_angles(240), 400, 600)};
  const auto source = measured(file, {.detector_distance = 1.03, .column_offset = 6.4}, blobs(), 1e6);
  // A detector 3 % farther away shows all 3 % larger. If lengths are right all the same, the axis is farther, too.
  CalibrationOptions options;
  options.known_length = 50;
  options.measured_length = 50;
  const Calibration found = calibrate(*source, options);
  const CalibratedNumber axis = calibrated_numbers(found, file).back();
  CHECK(axis.name == "source_to_axis_mm");
  CHECK(axis.determined);
  CHECK(axis.value == Approx(412).margin(2));
  CHECK(axis.value == Approx(400 * found.correction.detector_distance));
  CHECK(axis.change == Approx(axis.value - 400));
  CHECK(axis.uncertainty == Approx(412 * 0.5 * 1.1 * 400 / 600 / 50).epsilon(0.02));
  CHECK(detector_normal(found.scan.views[3]).distance == Approx(618).margin(2));
  CHECK(glm::length(found.scan.views[3].source) == Approx(axis.value));
  options.measured_length = 0;
  CHECK_THROWS_WITH(calibrate(*source, options), Catch::StartsWith("known_length: ") && Catch::Contains("measured"));
  options.measured_length = 1;
  const Scan parallel{d, parallel_views(d, equal_angles(60))};
  CHECK_THROWS_WITH(calibrate(*measured(parallel, {}), options), Catch::Contains("pixel_mm"));
}

TEST_CASE("Fan beam: an error that all views share is in the uncertainty") {
  const Detector d = detector(160, 1, 1.1);
  const Scan file{d, circular_views(d, equal_angles(240), 400, 600)};
  Projections views = read_all(*measured(file, {.detector_distance = 1.03, .column_offset = 6.4}, blobs(), 1e6));
  for (std::int64_t v = 0; v < 240; ++v)
    for (std::int64_t c = 0; c < 160; ++c)
      views.at(v, 0, c) *= 1 + 0.01f * std::sin(0.05f * static_cast<float>(c));  // a detector's gain
  MemorySource source(std::move(views));
  const Calibration found = calibrate(source);
  const CalibratedParameter &distance = parameter(found, "detector_distance"),
                            &column = parameter(found, "column_offset");
  INFO(distance.value << " +- " << distance.uncertainty << " " << distance.reason);
  CHECK((!distance.determined || std::abs(distance.value - 1.03) < 3 * distance.uncertainty));
  CHECK(column.determined);
  CHECK(std::abs(column.value - 6.4) < 3 * column.uncertainty);
}

TEST_CASE("Parallel beam: column offset and rotation in the detector's plane, full and half turn") {
  const Detector d = detector(72, 48, 1.6);
  for (const double arc : {360.0, 180.0}) {
    const Scan file{d, parallel_views(d, equal_angles(90, 0, arc))};
    const Calibration found = calibrate(*measured(file, {.column_offset = 4.7, .in_plane = -0.9}));
    INFO(arc);
    CHECK(parameter(found, "column_offset").value == Approx(4.7).margin(0.05));
    CHECK(parameter(found, "in_plane").value == Approx(-0.9).margin(0.06));
  }
}

TEST_CASE("A ball on the axis says nothing about rotation in the detector's plane, which is left alone") {
  const Detector d = detector(64, 48, 1.5);
  const Scan file{d, parallel_views(d, equal_angles(60))};
  const Phantom ball{"ball", {ellipsoid({0, 0, 0}, {25, 25, 25}, 0.02)}};
  const Calibration found = calibrate(*measured(file, {.column_offset = 2}, ball));
  CHECK(parameter(found, "column_offset").value == Approx(2).margin(0.05));
  CHECK_FALSE(parameter(found, "in_plane").determined);
  CHECK(found.correction.in_plane == 0);
  CHECK_FALSE(parameter(found, "in_plane").reason.empty());
}

TEST_CASE("Scans that cannot be calibrated are refused") {
  const Detector d = detector(32, 24, 2);
  const auto refused = [](const Scan& scan) {
    MemorySource source{Projections(scan)};
    calibrate(source);
  };
  CHECK_THROWS_WITH(refused({d, circular_views(d, equal_angles(4), 400, 600)}),
                    Catch::Contains("fewer than eight views"));
  CHECK_THROWS_WITH(refused({d, helical_views(d, equal_angles(40), 400, 600, 30, -15)}), Catch::Contains("helix"));
  CHECK_THROWS_WITH(refused({d, parallel_views(d, equal_angles(20, 0, 60))}), Catch::Contains("180 degrees"));
  CHECK_THROWS_AS(refused({d, circular_views(d, equal_angles(20), 400, 600)}), InputError);  // all zero
  CHECK_THROWS_WITH(refused({detector(3, 600, 2), circular_views(detector(3, 600, 2), equal_angles(20), 400, 600)}),
                    Catch::Contains("columns are too few"));
}

TEST_CASE("Noise determines nothing: it is refused, or all is left alone where that is asked for") {
  const Detector d = detector(40, 24, 2);
  Projections noise(Scan{d, parallel_views(d, equal_angles(30, 0, 180))});
  std::minstd_rand random(3);
  for (float& value : noise.values.span()) value = static_cast<float>(random() % 1000) / 1000;
  MemorySource source(std::move(noise));
  CHECK_THROWS_WITH(calibrate(source, {.find_center = false}), Catch::Contains("determine none of its parameters"));
  const Calibration left = calibrate(source, {.find_center = false}, {}, Undetermined::left);
  CHECK(std::ranges::none_of(left.parameters, &CalibratedParameter::determined));
  CHECK(left.correction.in_plane == 0);
  for (const CalibratedParameter& p : left.parameters) CHECK_FALSE(p.reason.empty());
}

TEST_CASE("Views that are wide and low lose no row when their pixels are binned") {
  const Detector wide = detector(1100, 2, 0.2);
  const Scan fan{wide, circular_views(wide, equal_angles(60, 4), 400, 600)};
  const Calibration found = calibrate(*measured(fan, {.column_offset = 7.5}));
  CHECK(std::abs(found.correction.column_offset - 7.5) < 0.2);
  // Eight rows become one: planes have nothing to compare, but rays have.
  const Detector low = detector(420, 8, 0.5);
  const Calibration few = calibrate(
      *measured({low, circular_views(low, equal_angles(20), 400, 600)}, {.column_offset = 3}), {.columns = 32});
  CHECK(few.correction.column_offset == Approx(3).margin(0.5));
  CHECK_FALSE(parameter(few, "in_plane").determined);
}

// Views that were shifted one by one come back.
#include <backlit/calibration/align_views.hpp>
#include <backlit/calibration/calibrate_moving_views.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <memory>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/volume_tools.hpp>
#include "calibration/fixed_point.hpp"
#include "calibration/register_images.hpp"

using namespace backlit;

namespace align_views_test {
namespace {

Body ellipsoid(Vec3 center, Vec3 half, double value) {
  Body body;
  body.center = center;
  body.half = half;
  body.value = value;
  return body;
}

/// A body with details at many heights, some of them dense.
Phantom body_with_details(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-22, 22), size(3, 9), value(-0.01, 0.03);
  Phantom phantom{"details", {ellipsoid({0, 0, 0}, {40, 33, 34}, 0.02)}};
  for (int i = 0; i < 20; ++i)
    phantom.bodies.push_back(ellipsoid({place(random), place(random), place(random)},
                                       {size(random), size(random), size(random)}, value(random)));
  return phantom;
}

/// Random shifts of 2 px r.m.s.
std::vector<ViewShift> random_shifts(std::size_t views, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> part(0, std::sqrt(2.0));
  std::vector<ViewShift> shifts(views);
  for (ViewShift& shift : shifts) shift = {part(random), part(random)};
  return shifts;
}

/// A drift of 6 px that begins fast and one that ends fast.
std::vector<ViewShift> drift(std::size_t views) {
  std::vector<ViewShift> shifts(views);
  for (std::size_t i = 0; i < views; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(views);
    shifts[i] = {6 * t * t, -6 * std::sqrt(t)};
  }
  return shifts;
}

/// px r.m.s. between shifts, without what no view determines. Without rows, along columns alone.
double error(const std::vector<ViewShift>& found, const std::vector<ViewShift>& truth, const Scan& scan) {
  std::vector<ViewShift> rest(found.size());
  for (std::size_t i = 0; i < rest.size(); ++i)
    rest[i] = {found[i].u - truth[i].u, scan.detector.rows < 8 ? 0 : found[i].v - truth[i].v};
  return rms(without_translation(rest, scan));
}

/// What a detector measures of shifted views, under the geometry without shifts; 100,000 photons a pixel.
MemorySource measured(const Scan& scan, const std::vector<ViewShift>& shifts, unsigned seed) {
  Projections p(shifted(scan, shifts));
  project_phantom(body_with_details(seed), p.scan, 0, scan.view_count(), 2, p.values.span());
  for (std::int64_t i = 0; i < scan.view_count(); ++i) add_noise({1e5, 0, seed}, i, p.view(i));
  p.scan = scan;
  return MemorySource(std::move(p));
}

Alignment aligned(const Scan& scan, const std::vector<ViewShift>& shifts, unsigned seed, std::int64_t columns = 128) {
  MemorySource source = measured(scan, shifts, seed);
  return align_views(source, make_volume_tools(make_backend("cpu"), {}, 2 * columns), {.columns = columns});
}

Detector detector(std::int64_t columns, std::int64_t rows, double pixel) {
  return {columns, rows, pixel, pixel, {}, 0};
}

}  // namespace

TEST_CASE("Random shifts of views come back to 0.05 pixel, in parallel and cone beams") {
  const Detector d = detector(61, 49, 2.2);
  const bool cone = GENERATE(false, true);
  const unsigned seed = cone ? 11 : 4;
  const Scan scan{d,
                  cone ? circular_views(d, equal_angles(60), 400, 500) : parallel_views(d, equal_angles(60, 0, 180))};
  const std::vector<ViewShift> truth = random_shifts(scan.views.size(), seed);
  const Alignment found = aligned(scan, truth, seed);
  CAPTURE(seed, cone, found.change, found.residual);
  CHECK(error(std::vector<ViewShift>(truth.size()), truth, scan) > 1.5);
  CHECK(error(found.shifts, truth, scan) < 0.05);
  CHECK(found.residual.back() < 0.5 * found.residual.front());
  CHECK(found.scan.views == shifted(scan, found.shifts).views);
}

TEST_CASE("Random shifts come back in a short scan of a cone beam") {
  const Detector d = detector(61, 49, 2.2);
  const Scan scan{d, circular_views(d, equal_angles(60, 0, 210), 400, 500)};
  const std::vector<ViewShift> truth = random_shifts(scan.views.size(), 3);
  CHECK(error(aligned(scan, truth, 3).shifts, truth, scan) < 0.03);
}

TEST_CASE("Shifts are found where coarse views hardly say where the axis is") {
  const Detector d = detector(49, 33, 7.5);
  const Scan scan{d, parallel_views(d, equal_angles(40, 0, 180))};
  std::vector<ViewShift> truth(scan.views.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto square = static_cast<double>(i * i);
    truth[i] = {2 * std::sin(square), 2 * std::cos(3 * square)};
  }
  Projections p(shifted(scan, truth));
  project_phantom(load_phantom("forbild-head"), p.scan, 0, scan.view_count(), 1, p.values.span());
  p.scan = scan;
  const auto source = std::make_shared<MemorySource>(std::move(p));
  const MovingViews found =
      calibrate_moving_views(source, make_volume_tools(make_backend("cpu"), {}, 128), CalibrationOptions(), {});
  const Scan moved = shifted(scan, truth);
  std::vector<ViewShift> apart;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const View &at = found.alignment.scan.views[i], &there = moved.views[i];
    const Vec3 away = (at.center - there.center) / d.pixel_u;
    apart.push_back({glm::dot(away, glm::normalize(at.u)), glm::dot(away, glm::normalize(at.v))});
  }
  CHECK(error(apart, std::vector<ViewShift>(truth.size()), scan) < 0.05);
}

TEST_CASE("A slow drift of the views comes back") {
  const Detector d = detector(61, 49, 2.2);
  const Scan scan{d, parallel_views(d, equal_angles(60, 0, 180))};
  const std::vector<ViewShift> truth = drift(scan.views.size());
  CHECK(error(aligned(scan, truth, 2).shifts, truth, scan) < 0.1);
}

TEST_CASE("One row is shifted along columns alone") {
  const Detector d = detector(121, 1, 1.1);
  const Scan scan{d, circular_views(d, equal_angles(120), 400, 500)};
  std::vector<ViewShift> truth = random_shifts(scan.views.size(), 6);
  for (ViewShift& shift : truth) shift.v = 0;
  const Alignment found = aligned(scan, truth, 6);
  CHECK(error(found.shifts, truth, scan) < 0.05);
  for (const ViewShift& shift : found.shifts) CHECK(shift.v == 0);
}

TEST_CASE("One row whose views move along the axis, too, shows other heights and is shifted less exactly") {
  const Detector d = detector(121, 1, 1.1);
  const Scan scan{d, circular_views(d, equal_angles(120), 400, 500)};
  const std::vector<ViewShift> truth = random_shifts(scan.views.size(), 5);
  CHECK(error(aligned(scan, truth, 5).shifts, truth, scan) < 0.15);
}

TEST_CASE("Views with many pixels are aligned with coarser ones") {
  const Detector d = detector(122, 98, 1.1);
  const Scan scan{d, parallel_views(d, equal_angles(50, 0, 180))};
  const std::vector<ViewShift> truth = random_shifts(scan.views.size(), 6);
  CHECK(error(aligned(scan, truth, 6, 64).shifts, truth, scan) < 0.05);
}

TEST_CASE("A shift of one image against another is found whatever their contrast") {
  const std::int64_t columns = 40, rows = 30;
  const auto image = [&](double u, double v, double gain, double offset) {
    std::vector<float> out;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        const double x = static_cast<double>(c) - 19 - u, y = static_cast<double>(r) - 14 - v;
        out.push_back(static_cast<float>(offset + gain * std::exp(-(x * x / 40 + y * y / 25))));
      }
    return out;
  };
  const ViewShift found = find_shift(image(1.7, -0.9, 2, 0.3), image(0, 0, 1, 0), columns, rows, 2, 2, true);
  CHECK(found.u == Approx(1.7).margin(0.01));
  CHECK(found.v == Approx(-0.9).margin(0.01));
  const std::vector<float> flat(static_cast<std::size_t>(columns * rows), 1);
  CHECK(find_shift(flat, flat, columns, rows, 2, 2, true) == ViewShift{});
}

TEST_CASE("A fixed point is found where plain iteration creeps") {
  const std::vector<double> rate{1, 0.5, 0.05, 0.01}, goal{1, -2, 3, 4};
  std::vector<double> x(4, 0);
  FixedPoint search;
  for (int round = 0; round < 8; ++round) {
    std::vector<double> step(4);
    for (std::size_t i = 0; i < 4; ++i) step[i] = rate[i] * (goal[i] - x[i]);
    x = search.next(x, step);
  }
  for (std::size_t i = 0; i < 4; ++i) CHECK(x[i] == Approx(goal[i]).epsilon(1e-3));
}

TEST_CASE("A translation of the object is taken off shifts, and nothing else") {
  const Detector d = detector(40, 30, 1.5);
  const Scan scan{d, circular_views(d, equal_angles(24), 400, 600)};
  std::vector<ViewShift> shifts;
  for (const View& view : scan.views) {
    const Vec3 moved(0.5, -1, 2);  // mm near the axis: the image moves by 600 / 400 of it
    shifts.push_back({glm::dot(moved, view.u) / (1.5 * 1.5) * 1.5, glm::dot(moved, view.v) / (1.5 * 1.5) * 1.5});
  }
  CHECK(rms(shifts) > 1);
  CHECK(rms(without_translation(shifts, scan)) < 1e-9);
  for (ViewShift& shift : shifts) shift = {0.7, 0};  // the axis' column: no translation does that
  CHECK(rms(without_translation(shifts, scan)) == Approx(0.7));
}

TEST_CASE("Views that cannot be aligned are refused") {
  const Detector bent{16, 8, 1, 1, Detector::Shape::curved, 0};
  const Detector flat = detector(16, 8, 1);
  MemorySource few(Projections(Scan{flat, circular_views(flat, equal_angles(5), 40, 60)}));
  MemorySource curved(Projections(Scan{bent, circular_views(bent, equal_angles(9), 40, 60)}));
  CHECK_THROWS_WITH(align_views(few, {}, {}), Catch::Contains("fewer than eight views"));
  CHECK_THROWS_WITH(align_views(curved, {}, {}), Catch::Contains("curved"));
  CHECK_THROWS_WITH(shifted(few.scan(), std::vector<ViewShift>(3)), Catch::Contains("3 shifts for 5 views"));
}

}  // namespace align_views_test

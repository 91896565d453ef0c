#include <backlit/preprocess/fdk_filter.hpp>

#include <catch2/catch.hpp>

#include <random>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/geometry/view_shifts.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "geometry/make_view_map.hpp"
#include "preprocess/filter/ramp_filter.hpp"
#include "support/recon/cylinder.hpp"
#include "support/recon/quality.hpp"

using namespace backlit;

namespace {

constexpr double R = 300, L = 500;
const std::vector<test::Cylinder> water{{8, -5, 40, 0.02}};

struct Quality {
  double mean, worst;  ///< of the values well inside the cylinder: mean, and largest deviation from 0.02
  double outside;      ///< mean on a ring around it
};

/// As reconstruction has them: a displaced detector comes back wider.
Projections filtered(const Projections& measured, const FilterOptions& options) {
  const auto backend = make_backend("cpu");
  const auto filter = backend->make_filter(measured.scan, options);
  Projections result(filter->scan());
  const Detector& d = result.scan.detector;
  const auto array = backend->make_array({d.columns, d.rows, result.scan.view_count()});
  filter->run(0, measured.values.span(), *array);
  backend->download(*array, result.values.span());
  return result;
}

Quality reconstruct(const Projections& measured, const FilterOptions& options, const test::Cylinder& c, double z) {
  const Projections p = filtered(measured, options);
  if (measured.scan.detector.rows == 1) z = 0;
  Quality q{0, 0, 0};
  int inside = 0;
  for (int i = 0; i < 120; ++i) {
    const double t = 2.39996 * i, r = 0.85 * c.radius * std::sqrt(i / 120.0);
    const double value = test::backproject(p, Vec3(c.x + r * std::cos(t), c.y + r * std::sin(t), z));
    q.mean += value;
    q.worst = std::max(q.worst, std::abs(value - c.density));
    ++inside;
  }
  for (int i = 0; i < 40; ++i) {
    const double r = 1.15 * c.radius;
    q.outside += test::backproject(p, Vec3(c.x + r * std::cos(i), c.y + r * std::sin(i), z)) / 40;
  }
  q.mean /= inside;
  return q;
}

Quality reconstruct(const Scan& scan, const FilterOptions& options = {},
                    const std::vector<test::Cylinder>& object = water, double z = 1.3) {
  return reconstruct(test::project(scan, object), options, object.front(), z);
}

void check_water(const Scan& scan, const FilterOptions& options = {}, double worst = 0.0004) {
  const Quality q = reconstruct(scan, options);
  CAPTURE(fdk_weights(scan, options).scheme, q.mean, q.worst, q.outside);
  CHECK(q.mean == Approx(0.02).epsilon(0.005));
  CHECK(q.worst < worst);
  CHECK(std::abs(q.outside) < worst);
}

const Detector cone{201, 5, 1, 1.5};

}  // namespace

TEST_CASE("FDK gives a water cylinder back in absolute values, full scans") {
  check_water({cone, circular_views(cone, equal_angles(300), R, L)});
  Detector fan = cone;
  fan.rows = 1;
  check_water({fan, circular_views(fan, equal_angles(301, 17), R, L)});
  check_water({cone, circular_views(cone, equal_angles(300, 0, -360), R, L)});
  check_water({cone, circular_views(cone, equal_angles(500, 33, 720), R, L)});  // two turns, other angles
  check_water({cone, circular_views(cone, equal_angles(480, 33, 720), R, L)});  // the same angles twice
  Detector curved = cone;
  curved.shape = Detector::Shape::curved;
  check_water({curved, circular_views(curved, equal_angles(300), R, L)});
}

TEST_CASE("FDK gives a water cylinder back in absolute values, parallel beams") {
  const Detector d{121, 3, 1, 1};
  check_water({d, parallel_views(d, equal_angles(200, 5, 180))});
  check_water({d, parallel_views(d, equal_angles(200, 5, 360))});
  check_water({d, parallel_views(d, equal_angles(201, 5, 360))});
  check_water({d, parallel_views(d, equal_angles(300, 5, 270))});
  auto closed = equal_angles(180, -88, 180);
  closed.push_back(92);  // both ends measured
  check_water({d, parallel_views(d, closed)});
}

TEST_CASE("FDK of irregular angles") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> jitter(-0.45, 0.45);
  auto angles = equal_angles(360);
  for (double& a : angles) a += jitter(random);
  std::shuffle(angles.begin(), angles.end(), random);
  check_water({cone, circular_views(cone, angles, R, L)});
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double t = static_cast<double>(i) / 360;
    angles[i] = 360 * (t + 0.1 * std::sin(2 * pi * t));
  }
  check_water({cone, circular_views(cone, angles, R, L)});
  for (std::size_t i = 0; i < angles.size(); ++i) angles[i] = 137.50776405 * static_cast<double>(i);
  check_water({cone, circular_views(cone, angles, R, L)});
  angles = equal_angles(330, 20, 330);  // a wedge of 30 degrees is missing: its conjugates take over
  check_water({cone, circular_views(cone, angles, R, L)});
}

TEST_CASE("FDK of short scans weighs conjugate rays") {
  const double fan = 2 * std::atan(100.5 / L) / radians_per_degree;
  const Scan exact{cone, circular_views(cone, equal_angles(240, 11, 180 + fan + 1), R, L)};
  CHECK(fdk_weights(exact, {}).scheme == "short scan (Parker)");
  check_water(exact);
  check_water({cone, circular_views(cone, equal_angles(240, 11, -(180 + fan + 1)), R, L)});
  check_water({cone, circular_views(cone, equal_angles(300, 11, 260), R, L)});
  const Scan less{cone, circular_views(cone, equal_angles(240, 11, 180 + fan - 3), R, L)};
  CHECK(fdk_weights(less, {}).scheme == "general");
  check_water(less);
  Detector curved = cone;
  curved.shape = Detector::Shape::curved;
  check_water({curved, circular_views(curved, equal_angles(240, 11, 180 + fan + 2), R, L)});
}

TEST_CASE("FDK of displaced, tilted and misplaced detectors") {
  const Detector half{121, 5, 1, 1.5};  // shorter on one side of the axis than the cylinder's shadow
  const auto check_displaced = [](const Detector& d, double offset) {
    CAPTURE(d.columns, offset);
    DetectorPlacement p;
    p.offset_u = offset;
    const Scan scan{d, circular_views(d, equal_angles(400), R, L, p)};
    CHECK(fdk_weights(scan, {}).scheme == "offset detector");
    check_water(scan);
  };
  for (double offset : {6.0, -9.0}) check_displaced(cone, offset);
  for (double offset : {36.0, -41.0}) check_displaced(half, offset);
  DetectorPlacement p;
  p.tilt_v = 8;
  check_water({cone, circular_views(cone, equal_angles(400), R, L, p)});
  p = {};
  p.tilt_u = 8;
  check_water({cone, circular_views(cone, equal_angles(400), R, L, p)});
  p = {};
  p.tilt_n = 3;
  const Detector tall{201, 15, 1, 1.5};
  check_water({tall, circular_views(tall, equal_angles(400), R, L, p)});
}

TEST_CASE("FDK weights of conjugate rays sum to 1") {
  const auto sums = [](const Scan& scan, double step, double* least, double* most) {
    // Ray (i, c) at gamma has its conjugate in the view i + (pi + 2 gamma) / step, at -gamma: interpolate m there.
    const FdkWeights w = fdk_weights(scan, {});
    const auto m = [&](std::int64_t i, std::int64_t c) {
      return static_cast<double>(
          w.ray[w.ray.size() > 1 ? static_cast<std::size_t>(i) : 0][static_cast<std::size_t>(c)]);
    };
    *least = 2;
    *most = 0;
    const std::int64_t n = scan.view_count(), columns = scan.detector.columns;
    const bool full = std::abs(step * static_cast<double>(n) - 2 * pi) < 1e-9;
    const double axis = project_point(make_view_map(scan.detector, scan.views[0]), 0.0, 0.0, 0.0).column;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t c = 1; c + 1 < columns; ++c) {
        // Views turn from x to y and columns run along (-sin, cos): gamma = atan(-(c - axis) |u| / L).
        const double gamma = -std::atan((static_cast<double>(c) - axis) * scan.detector.pixel_u / L);
        double at = static_cast<double>(i) + (pi + 2 * gamma) / step;
        double back = static_cast<double>(i) - (pi - 2 * gamma) / step;
        if (full) at = std::fmod(at, static_cast<double>(n));
        const double mirror = 2 * axis - static_cast<double>(c);
        double other = 0;
        for (double view : {at, full ? -1.0 : back}) {
          const auto k = static_cast<std::int64_t>(std::floor(view)), j = static_cast<std::int64_t>(std::floor(mirror));
          const std::int64_t k1 = full ? (k + 1) % n : k + 1;
          if (view < 0 || k1 >= n || mirror < 0 || j + 1 >= columns) continue;
          const double f = view - static_cast<double>(k), g = mirror - static_cast<double>(j);
          other += (1 - f) * ((1 - g) * m(k, j) + g * m(k, j + 1)) + f * ((1 - g) * m(k1, j) + g * m(k1, j + 1));
        }
        const double sum = m(i, c) + other;
        *least = std::min(*least, sum);
        *most = std::max(*most, sum);
      }
  };
  double least, most;
  const Detector d{101, 1, 2, 2};
  sums({d, circular_views(d, equal_angles(720), R, L)}, 2 * pi / 720, &least, &most);
  CHECK(least == Approx(1).margin(1e-6));
  CHECK(most == Approx(1).margin(1e-6));
  DetectorPlacement p;
  p.offset_u = 31.3;
  sums({d, circular_views(d, equal_angles(720), R, L, p)}, 2 * pi / 720, &least, &most);
  CHECK(least == Approx(1).margin(2e-3));
  CHECK(most == Approx(1).margin(2e-3));
  sums({d, circular_views(d, equal_angles(2000, 0, 250), R, L)}, 250 * radians_per_degree / 2000, &least, &most);
  CHECK(least == Approx(1).margin(5e-3));
  CHECK(most == Approx(1).margin(5e-3));
}

TEST_CASE("Views of a full turn that moved count conjugate rays as halves, at the edges too") {
  const Detector d{101, 1, 2, 2};
  std::vector<ViewShift> shifts;
  for (int i = 0; i < 60; ++i) shifts.push_back({i % 2 == 0 ? 3.0 : -3.0, 0});
  const FdkWeights w = fdk_weights(shifted({d, circular_views(d, equal_angles(60), R, L)}, shifts), {});
  for (const auto& row : w.ray)
    for (const float weight : row) CHECK(weight == Approx(0.5).margin(1e-5));
}

TEST_CASE("Views filtered as a part of a scan get the bits that they have among all") {
  const Detector d{61, 4, 2, 2};
  DetectorPlacement aside;
  aside.offset_u = 17.3;
  for (const Scan& whole :
       {Scan{d, circular_views(d, equal_angles(40), R, L)}, Scan{d, circular_views(d, equal_angles(40, 3, 230), R, L)},
        Scan{d, circular_views(d, equal_angles(40), R, L, aside)}}) {
    Projections all(whole);
    for (std::int64_t i = 0; i < all.values.size(); ++i) all.values[i] = static_cast<float>(i * 7919 % 101);
    const std::int64_t first = 11, count = 9, view = d.pixels();
    std::vector<float> some(all.values.data() + first * view, all.values.data() + (first + count) * view);
    FilterOptions options;
    FdkFilter(whole, options).run(0, all.values.span());
    options.whole = std::make_shared<const Scan>(whole);
    FdkFilter({d, {whole.views.begin() + first, whole.views.begin() + first + count}}, options).run(0, some);
    CHECK(std::equal(some.begin(), some.end(), all.values.data() + first * view));
  }
  FilterOptions other;
  other.whole = std::make_shared<const Scan>(Scan{d, circular_views(d, equal_angles(40), R, L)});
  CHECK_THROWS_WITH(fdk_weights({d, circular_views(d, equal_angles(7, 1), R, L)}, other),
                    Catch::Contains("not one of the whole scan's"));
}

TEST_CASE("FDK gaps of an arc") {
  const Detector d{31, 1, 1, 1};
  const FdkWeights w = fdk_weights({d, circular_views(d, {0, 1, 3, 4, 200, 201}, R, L)}, {});
  const double deg = radians_per_degree;
  CHECK(w.gap[0] == Approx(0.5 * deg));
  CHECK(w.gap[1] == Approx(1.5 * deg));
  CHECK(w.gap[2] == Approx(1.5 * deg));
  CHECK(w.gap[3] == Approx(0.5 * deg));
  CHECK(w.gap[4] == Approx(0.5 * deg));
}

TEST_CASE("FDK refuses what it would reconstruct badly, unless forced") {
  const Detector d{31, 3, 1, 1};
  FilterOptions force;
  force.force = true;
  const Scan helix{d, helical_views(d, equal_angles(36), R, L, 20, -10)};
  CHECK_THROWS_WITH(
      fdk_weights(helix, {}),
      Catch::Contains("FDK: view 0: the source leaves its plane by 9.7 mm, more than 1 % of R = 300.0 mm"));
  CHECK_THROWS_WITH(fdk_weights(helix, {}), Catch::Contains("`method` hfdk"));
  CHECK(fdk_weights(helix, force).gap.size() == 36);
  Scan tilted{d, circular_views(d, equal_angles(36), R, L)};
  DetectorPlacement p;
  p.tilt_n = 12;
  tilted.views[7] = circular_views(d, equal_angles(36), R, L, p)[7];
  CHECK_THROWS_WITH(fdk_weights(tilted, {}), Catch::Contains("FDK: view 7: its rows are tilted by 12.0 degrees"));
  for (const double distance : {0.0, R}) {
    const Scan raised{d, laminographic_views(d, equal_angles(36), distance, distance > 0 ? L : 0, -30)};
    CHECK_THROWS_WITH(
        fdk_weights(raised, {}),
        Catch::Contains("FDK: view 0: its rays leave the plane of rotation by 30.0 degrees, more than 10; "
                        "use `method` sirt or cgls, or `force`"));
    CHECK(fdk_weights(raised, force).gap.size() == 36);
  }
  p = {};
  p.offset_u = 40;
  CHECK_THROWS_WITH(fdk_weights({d, circular_views(d, equal_angles(36), R, L, p)}, {}),
                    Catch::Contains("the axis does not project onto the detector"));
  Detector curved = d;
  curved.shape = Detector::Shape::curved;
  curved.radius = 100;
  CHECK_THROWS_WITH(fdk_weights({curved, circular_views(curved, equal_angles(36), R, L)}, force),
                    Catch::Contains("not focused on the source"));
  FilterOptions parker;
  parker.redundancy = Redundancy::parker;
  CHECK_THROWS_WITH(fdk_weights({d, circular_views(d, equal_angles(36), R, L)}, parker), Catch::Contains("redundancy"));
}

TEST_CASE("the ramp filter has the right kernel, DC and windows") {
  const std::int64_t n = 64;
  const RampFilter ramp(n, FilterWindow::ram_lak, 1);
  std::vector<float> a(n), b(n);
  a[20] = 1;
  b[63] = 2;
  ramp.run(a, b, ramp.scratch());
  for (std::int64_t i = 0; i < n; ++i) {
    CHECK(a[static_cast<std::size_t>(i)] == Approx(ramp_tap(i - 20)).margin(1e-7));
    CHECK(b[static_cast<std::size_t>(i)] == Approx(2 * ramp_tap(i - 63)).margin(1e-7));
  }
  // DC: the sum over a band of odd taps falls as 1 / n, so the response at 0 is small but not 0 (a ramp sampled in
  // frequency would have 0 there, and lose the mean of the picture).
  double sum = ramp_tap(0);
  for (std::int64_t k = 1; k <= n; ++k) sum += 2 * ramp_tap(k);
  CHECK(sum > 0.001);
  CHECK(static_cast<double>(ramp.response()[0]) * static_cast<double>(ramp.size()) == Approx(sum).epsilon(1e-4));
  CHECK(static_cast<double>(ramp.response()[static_cast<std::size_t>(ramp.size() / 2)]) *
            static_cast<double>(ramp.size()) ==
        Approx(0.5).epsilon(0.01));
  CHECK(window_value(FilterWindow::ram_lak, 1) == 1);
  CHECK(window_value(FilterWindow::ram_lak, 1.01) == 0);
  CHECK(window_value(FilterWindow::shepp_logan, 0) == 1);
  CHECK(window_value(FilterWindow::shepp_logan, 1) == Approx(2 / pi));
  CHECK(window_value(FilterWindow::cosine, 0.5) == Approx(std::sqrt(0.5)));
  CHECK(window_value(FilterWindow::hann, 0.5) == Approx(0.5));
  CHECK(window_value(FilterWindow::hann, 1) == Approx(0).margin(1e-12));
  CHECK(window_value(FilterWindow::hamming, 1) == Approx(0.08));
  const RampFilter cut(n, FilterWindow::hann, 0.5);
  CHECK(cut.response()[static_cast<std::size_t>(cut.size() / 2)] == 0);
  CHECK(cut.response()[static_cast<std::size_t>(cut.size() / 8)] ==
        Approx(0.5 * ramp.response()[static_cast<std::size_t>(ramp.size() / 8)]));
}

TEST_CASE("windows keep the values of a flat region") {
  const Scan scan{cone, circular_views(cone, equal_angles(240), R, L)};
  for (const FilterWindow window :
       {FilterWindow::shepp_logan, FilterWindow::cosine, FilterWindow::hann, FilterWindow::hamming}) {
    FilterOptions o;
    o.window = window;
    o.cutoff = 0.8;
    check_water(scan, o);
  }
}

TEST_CASE("a view is filtered to the same bits in whatever batch it comes") {
  Detector curved{37, 5, 1, 1};
  curved.shape = Detector::Shape::curved;
  for (const Detector& d : {Detector{37, 5, 1, 1}, curved, Detector{40, 1, 1, 1}}) {
    Projections p({d, circular_views(d, equal_angles(23), R, L)});
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (float& v : p.values) v = uniform(random);
    const FdkFilter filter(p.scan, {});
    Projections whole(p.scan, p.values.clone());
    filter.run(0, whole.values.span());
    for (const std::int64_t batch : {1, 2, 3, 7}) {
      Projections parts(p.scan, p.values.clone());
      for (std::int64_t first = 0; first < 23; first += batch) {
        const std::int64_t n = std::min<std::int64_t>(batch, 23 - first);
        filter.run(first, parts.values.span().subspan(static_cast<std::size_t>(first * d.pixels()),
                                                      static_cast<std::size_t>(n * d.pixels())));
      }
      CAPTURE(d.rows, batch);
      CHECK(std::equal(parts.values.begin(), parts.values.end(), whole.values.begin()));
    }
  }
}

TEST_CASE("views that are filtered already keep their values, but for the step from R to the depth of the origin") {
  const Detector d{31, 7, 1, 1};
  DetectorPlacement p;
  p.tilt_v = 4;
  FilterOptions o;
  o.window = FilterWindow::none;
  Scan scan{d, helical_views(d, equal_angles(12), R, L, 40, -20, p)};  // which FDK proper would refuse
  Projections views(scan);
  for (float& v : views.values) v = 3;
  const FdkFilter filter(scan, o);
  filter.run(0, views.values.span());
  CHECK(filter.weights().scheme == "filtered already");
  for (std::int64_t i = 0; i < 12; ++i) {
    const View& view = scan.views[static_cast<std::size_t>(i)];
    const ProjectionMatrix m = projection_matrix(d, view);
    const double ratio = m[3][2] / axis_distance(view);  // the matrix gives the depth of the origin
    CHECK(views.at(i, 0, 0) == Approx(3 * ratio * ratio));
    CHECK(views.at(i, 6, 30) == Approx(3 * ratio * ratio));
  }
}

TEST_CASE("rows that are cut off are continued smoothly, those that end at zero stay as they are") {
  const std::int64_t n = 96, cut = 70;
  std::vector<float> whole(n);
  for (std::int64_t i = 0; i < n; ++i) {
    const double t = (static_cast<double>(i) - 48) / 40;
    whole[static_cast<std::size_t>(i)] = static_cast<float>(std::sqrt(std::max(0.0, 1 - t * t)));
  }
  const auto filtered = [](std::vector<float> row, std::int64_t extension) {
    const RampFilter ramp(static_cast<std::int64_t>(row.size()), FilterWindow::ram_lak, 1, 0, extension);
    ramp.run(row, {}, ramp.scratch());
    return row;
  };
  const std::vector<float> truth = filtered(whole, 0), same = filtered(whole, 30);
  for (std::size_t i = 0; i < whole.size(); ++i) CHECK(same[i] == Approx(truth[i]).margin(1e-5));
  const std::vector<float> part(whole.begin(), whole.begin() + cut);
  const auto worst = [&](const std::vector<float>& row) {
    double most = 0;
    for (std::size_t i = 0; i < row.size(); ++i) most = std::max<double>(most, std::abs(row[i] - truth[i]));
    return most;
  };
  CHECK(worst(filtered(part, 0)) > 0.07);  // the bright rim
  CHECK(worst(filtered(part, 20)) < 0.01);
  CHECK(worst(filtered(part, 1000)) < 0.1);  // more than there are columns to mirror
  Detector bent{201, 1, 2, 2};
  bent.shape = Detector::Shape::curved;
  const Scan near{bent, circular_views(bent, equal_angles(36), 80, 150)};
  FilterOptions wide;
  wide.pad = 1;
  CHECK_THROWS_WITH(FdkFilter(near, wide), Catch::Contains("pad: ") && Catch::Contains("pad less"));
}

TEST_CASE("the Hilbert filter turns a sine into minus its cosine, within RTK's tolerance") {
  // rtkhilbertfiltertest: sin(20 pi t), 500 samples of 1 ms. RTK's convolution wraps round there, which makes the row
  // endless; ours is linear, so the row goes on for as long again on either side.
  const std::int64_t n = 500;
  std::vector<float> row, truth;
  for (std::int64_t i = -n; i < 2 * n; ++i) {
    const double phase = 20 * pi * 0.001 * static_cast<double>(i);
    row.push_back(static_cast<float>(std::sin(phase)));
    truth.push_back(static_cast<float>(-std::cos(phase)));
  }
  const HilbertFilter hilbert(3 * n, 1);
  hilbert.run(row, {}, hilbert.scratch());
  const test::Quality q = test::quality(std::span(row).subspan(n, n), std::span(truth).subspan(n, n), 0.96);
  CAPTURE(q.mean_abs, q.psnr_db);
  CHECK(q.mean_abs < 0.035);
  CHECK(q.psnr_db > 27.3);
  std::vector<float> impulse(64);
  impulse[20] = 1;
  const HilbertFilter thrice(64, 1, 3);
  thrice.run(impulse, {}, thrice.scratch());
  for (std::int64_t i = 0; i < 64; ++i)
    CHECK(impulse[static_cast<std::size_t>(i)] == Approx(3 * hilbert_tap(i - 20)).margin(1e-6));
}

TEST_CASE("the Hilbert filter stays odd where half of its transform is an odd tap away") {
  const HilbertFilter filter(5, 0.6);
  REQUIRE(filter.size() == 10);
  std::vector<float> row{0, 0, 1, 0, 0};
  filter.run(row, {}, filter.scratch());
  CHECK(row[3] > 0.1f);
  for (std::size_t i = 0; i < 3; ++i) CHECK(row[2 + i] == Approx(-row[2 - i]).margin(1e-7));
}

TEST_CASE("differential views of parallel beams come back through the Hilbert filter") {
  Detector d{201, 1, 1, 1};
  const Scan scan{d, parallel_views(d, equal_angles(180, 3, 180))};
  Detector shifted = d;
  shifted.columns = 202;  // pixel centres half a column to either side of d's
  Projections edges = test::project({shifted, parallel_views(shifted, equal_angles(180, 3, 180))}, water);
  Projections differences(scan);
  for (std::int64_t i = 0; i < scan.view_count(); ++i)
    for (std::int64_t c = 0; c < d.columns; ++c) differences.at(i, 0, c) = edges.at(i, 0, c + 1) - edges.at(i, 0, c);
  FilterOptions hilbert;
  hilbert.window = FilterWindow::hilbert;
  const Quality q = reconstruct(differences, hilbert, water.front(), 0);
  CAPTURE(q.mean, q.worst, q.outside);
  CHECK(q.mean == Approx(0.02).epsilon(0.005));
  CHECK(q.worst < 0.0008);
  CHECK(std::abs(q.outside) < 0.0004);
  CHECK_THROWS_WITH(FdkFilter({cone, circular_views(cone, equal_angles(36), R, L)}, hilbert),
                    "filter: hilbert reconstructs parallel beams on flat detectors only; integrate differential views "
                    "of other beams along their rows, and take ram-lak");
}

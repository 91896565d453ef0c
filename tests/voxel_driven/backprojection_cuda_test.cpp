// The CUDA backprojection kernels against a double-precision sum over views.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include <backlit/core/parallel.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "geometry/make_view_map.hpp"
#include "support/cuda.hpp"
#include "support/nan_maximum.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using test::relative_l2;

namespace {

std::vector<float> random_values(std::int64_t n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& v : values) v = uniform(random);
  return values;
}

/// Smooth views: the 8-bit weights of hardware filtering then cost little, as in real data.
std::vector<float> smooth_values(const Scan& scan) {
  std::vector<float> values;
  const Detector& d = scan.detector;
  for (std::int64_t n = 0; n < scan.view_count(); ++n)
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.columns; ++c)
        values.push_back(static_cast<float>(std::sin(0.31 * static_cast<double>(c) + 0.4 * static_cast<double>(n)) *
                                                std::cos(0.23 * static_cast<double>(r)) +
                                            1.5));
  return values;
}

double pixel(const Scan& scan, const std::vector<float>& views, std::int64_t n, std::int64_t r, std::int64_t c) {
  const Detector& d = scan.detector;
  if (r < 0 || c < 0 || r >= d.rows || c >= d.columns) return 0;
  return views[static_cast<std::size_t>((n * d.rows + r) * d.columns + c)];
}

double bilinear(const Scan& scan, const std::vector<float>& views, std::int64_t n, double row, double column) {
  const double r = std::floor(row), c = std::floor(column), fr = row - r, fc = column - c;
  const auto ri = static_cast<std::int64_t>(r), ci = static_cast<std::int64_t>(c);
  return (1 - fr) * ((1 - fc) * pixel(scan, views, n, ri, ci) + fc * pixel(scan, views, n, ri, ci + 1)) +
         fr * ((1 - fc) * pixel(scan, views, n, ri + 1, ci) + fc * pixel(scan, views, n, ri + 1, ci + 1));
}

std::vector<double> reference(const Scan& scan, const VolumeGrid& grid, const std::vector<float>& views, bool fdk) {
  std::vector<double> volume(static_cast<std::size_t>(grid.voxels()));
  for (std::int64_t n = 0; n < scan.view_count(); ++n) {
    const auto& view = scan.views[static_cast<std::size_t>(n)];
    const auto map = make_view_map(scan.detector, view);
    const double distance = axis_distance(view);
    parallel_for(grid.size[2], [&](std::int64_t k) {
      for (std::int64_t j = 0; j < grid.size[1]; ++j)
        for (std::int64_t i = 0; i < grid.size[0]; ++i) {
          const Vec3 x = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
          const auto at = project_point(map, x.x, x.y, x.z);
          if (!(at.depth > 0)) continue;
          const double weight = fdk ? distance * distance / (at.depth * at.depth) : 1;
          volume[static_cast<std::size_t>((k * grid.size[1] + j) * grid.size[0] + i)] +=
              weight * bilinear(scan, views, n, at.row, at.column);
        }
    });
  }
  return volume;
}

struct Setup {
  const char* name;
  Scan scan;
  VolumeGrid grid;
};

std::vector<Setup> setups() {
  const Detector d{67, 45, 1.5, 1.2};
  Detector curved = d;
  curved.shape = Detector::Shape::curved;
  DetectorPlacement off, tilt;
  off.offset_u = 3.25;
  off.offset_v = -2;
  tilt.tilt_u = 3;
  tilt.tilt_v = -4;
  tilt.tilt_n = 5;
  const VolumeGrid odd{{31, 31, 19}, {1.1, 1.1, 1.3}, {0, 0, 2}}, even{{32, 32, 21}, {1.1, 1.1, 1.3}, {0, 0, -1}},
      oblong{{35, 29, 17}, {1.0, 1.3, 0.9}, {4, -3, 5}};
  const auto full = equal_angles(24, 10);
  return {{"circular, even grid", {d, circular_views(d, full, 200, 310)}, even},
          {"circular with offset, odd grid", {d, circular_views(d, full, 200, 310, off)}, odd},
          {"circular, oblong grid off the axis", {d, circular_views(d, full, 200, 310, off)}, oblong},
          {"short scan", {d, circular_views(d, equal_angles(17, 0, 210), 200, 310)}, oblong},
          {"parallel", {d, parallel_views(d, full, off)}, even},
          {"helical", {d, helical_views(d, equal_angles(40, 0, 720), 200, 310, 9, -9)}, oblong},
          {"tilted", {d, circular_views(d, full, 200, 310, tilt)}, oblong},
          {"laminographic", {d, laminographic_views(d, full, 200, 310, 25)}, odd},
          {"curved", {curved, circular_views(curved, full, 200, 310)}, oblong},
          {"source inside the grid", {d, circular_views(d, equal_angles(9, 5), 14, 310)}, oblong}};
}

}  // namespace

TEST_CASE("backprojection agrees with double precision for every geometry") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const Setup& s : setups())
    for (const Weighting weighting : {Weighting::fdk, Weighting::none})
      for (const Precision precision : {Precision::exact, Precision::fast, Precision::half})
        for (const char* variant : {"", "general", "columns", "orbit"}) {
          CtOptions options;
          options.weighting = weighting;
          options.precision = precision;
          options.variant = variant;
          std::unique_ptr<LinearOperator> op;
          try {
            op = backend->make_ct(s.grid, s.scan, options);
          } catch (const Unsupported& e) {
            REQUIRE(*variant);  // without a name there is always a kernel for these
            continue;
          }
          INFO(s.name << ", " << op->variant() << ", weighting " << static_cast<int>(weighting));
          const auto views = smooth_values(s.scan);
          const ArrayPtr y = op->make_range(s.scan.view_count()), x = op->make_domain();
          backend->upload(views, *y);
          op->back(*y, *x, op->all(), Write::overwrite);
          op->back(*y, *x, op->all(), Write::accumulate);
          backend->scale(*x, 0.5f);
          std::vector<float> volume(static_cast<std::size_t>(s.grid.voxels()));
          backend->download(*x, volume);
          CHECK(relative_l2(volume, reference(s.scan, s.grid, views, weighting == Weighting::fdk)) <
                (precision == Precision::half   ? 2e-3
                 : precision == Precision::fast ? 1e-3
                                                : 1e-5));
        }
}

TEST_CASE("backprojection of subsets adds up to the whole") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s = setups().front();
  CtOptions options;
  options.weighting = Weighting::fdk;
  options.precision = Precision::half;
  const auto op = backend->make_ct(s.grid, s.scan, options);
  CHECK(op->variant() == "voxel_driven orbit rgba16f");
  const auto views = smooth_values(s.scan);
  const ArrayPtr y = op->make_range(24), x = op->make_domain(), part = op->make_range(5);
  backend->upload(views, *y);
  for (std::int64_t first = 0; first < 3; ++first)
    op->back(*y, *x, {first, 8, 3}, first ? Write::accumulate : Write::overwrite);
  std::vector<float> volume(static_cast<std::size_t>(s.grid.voxels()));
  backend->download(*x, volume);
  const auto whole = reference(s.scan, s.grid, views, true);
  CHECK(relative_l2(volume, whole) < 2e-3);

  // Compact arrays hold only the subset's views.
  const std::int64_t pixels = s.scan.detector.pixels();
  Scan five = s.scan;
  five.views.assign(s.scan.views.begin() + 6, s.scan.views.begin() + 11);
  const std::vector<float> some(views.begin() + 6 * pixels, views.begin() + 11 * pixels);
  backend->upload(some, *part);
  op->back(*part, *x, {6, 5, 1}, Write::overwrite);
  backend->download(*x, volume);
  CHECK(relative_l2(volume, reference(five, s.grid, some, true)) < 2e-3);
}

TEST_CASE("vector operations and reductions") {
  BACKLIT_REQUIRE_CUDA(backend);
  const std::int64_t n = 100003;
  const auto a = random_values(n), b = smooth_values({{n, 1}, {View{}}});
  const ArrayPtr x = backend->make_array({n}), y = backend->make_array({n});
  backend->upload(a, *x);
  backend->upload(b, *y);
  double dot = 0, sum = 0;
  float largest = a[0];
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += static_cast<double>(a[i]) * b[i];
    sum += a[i];
    largest = std::max(largest, a[i]);
  }
  CHECK(backend->dot(*x, *y) == Approx(dot).epsilon(1e-9));
  CHECK(backend->sum(*x) == Approx(sum).epsilon(1e-9));
  CHECK(backend->maximum(*x) == largest);
  test::check_maximum_of_nan(*backend);
  CHECK(backend->dot(*x, *y) == backend->dot(*x, *y));

  backend->axpy(2, *x, *y);
  backend->multiply(*x, *y);
  backend->clamp(*y, -0.5f, 1.5f);
  backend->exponential(*y);
  backend->divide(*x, *y, 0.25f);
  backend->scale(*y, 3);
  std::vector<float> result(a.size());
  backend->download(*y, result);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float t = std::exp(std::clamp(a[i] * (b[i] + 2 * a[i]), -0.5f, 1.5f));
    const float expected = std::abs(a[i]) > 0.25f ? 3 * t / a[i] : 0.0f;
    worst = std::max(worst, std::abs(static_cast<double>(result[i]) - expected) / (1 + std::abs(expected)));
  }
  CHECK(worst < 1e-5);
}

TEST_CASE("kernels are timed by name when somebody asks") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s = setups().front();
  const auto op = backend->make_ct(s.grid, s.scan, {});
  const ArrayPtr y = op->make_range(24), x = op->make_domain();
  const auto twice = [&] {
    for (int n = 0; n < 2; ++n) op->back(*y, *x, op->all(), Write::overwrite);
  };
  twice();
  CHECK(backend->pass_times().empty());
  backend->time_passes(true);
  twice();
  const PassTimes times = backend->pass_times();
  REQUIRE(times.contains("backproject columns"));
  CHECK(times.at("backproject columns").calls == 2);
  CHECK(times.at("backproject columns").seconds > 0);
  CHECK(times.at("backproject columns").seconds < 1);
  backend->time_passes(true);
  CHECK(backend->pass_times().empty());
  backend->time_passes(false);
  twice();
  CHECK(backend->pass_times().empty());
}

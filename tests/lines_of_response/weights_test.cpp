// Thin lines and tubes of response against known numbers and analytic lengths.
#include <catch2/catch.hpp>

#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/data/volume.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "support/projectors/lines.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

CpuBackend cpu() { return CpuBackend(BackendOptions{}); }

VolumeGrid grid_of(const Size3& size, const Vec3& spacing) { return {size, spacing, Vec3(0)}; }

std::vector<float> ones(const VolumeGrid& grid) {
  return std::vector<float>(static_cast<std::size_t>(grid.voxels()), 1);
}

/// Turns x, y, z on.
glm::vec3 turned(const glm::vec3& p, int times) { return times == 0 ? p : turned({p.z, p.x, p.y}, times - 1); }

/// Lines through a ball of ones (8^3 samples a voxel) against the chord's length.
struct ChordErrors {
  double mean = 0, total = 0, far = 0;  ///< mm; relative; share beyond 2 mm
};

ChordErrors chord_errors(const LineOptions& options) {
  const VolumeGrid grid = grid_of({65, 63, 49}, Vec3(4, 4, 4.06));
  const double radius = 85;
  const Vec3 middle(5, -7, 3);
  Volume ball(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        int inside = 0;
        for (int n = 0; n < 216; ++n) {
          const Vec3 part((n % 6 + 0.5) / 6 - 0.5, (n / 6 % 6 + 0.5) / 6 - 0.5, (n / 36 + 0.5) / 6 - 0.5);
          const Vec3 p = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
          inside += glm::length(p + part * grid.spacing - middle) < radius;
        }
        ball.at(i, j, k) = static_cast<float>(inside / 216.0);
      }
  const Lines lines = random_lines(4000, 328, 7);
  CpuBackend backend = cpu();
  const auto measured = project(backend, grid, lines, options, ball.values.span());
  ChordErrors errors;
  double all = 0, sum = 0;
  int hit = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const Vec3 p(lines.points[2 * i]), way = glm::normalize(Vec3(lines.points[2 * i + 1]) - p);
    const double distance = glm::length(glm::cross(middle - p, way));
    const double chord = distance < radius ? 2 * std::sqrt(radius * radius - distance * distance) : 0;
    const double error = std::abs(measured[i] - chord);
    if (chord > 0 || measured[i] > 0) ++hit;
    errors.mean += error;
    errors.far += error > 2;
    all += chord;
    sum += measured[i];
  }
  errors.mean /= hit;
  errors.far /= hit;
  errors.total = sum / all - 1;
  return errors;
}

}  // namespace

TEST_CASE("Thin lines give the known values of a small image") {
  // Array axis 0, 1, 2 of the source is our z, y, x: 2 x 3 x 4 values row-major, voxels of 4, 3 and 2 mm.
  const VolumeGrid grid = grid_of({4, 3, 2}, Vec3(2, 3, 4));
  std::vector<float> image(24);
  std::iota(image.begin(), image.end(), 0.0f);
  const float rays[10][6] = {{0, -1, 0, 0, 3, 0}, {0, -1, 0, 0, 3, 0}, {0, -1, 1, 0, 3, 1}, {0, -1, .5f, 0, 3, .5f},
                             {0, 0, -1, 0, 0, 4}, {-1, 0, 0, 2, 0, 0}, {1, -1, 0, 1, 3, 0}, {1, -1, 3, 1, 3, 3},
                             {1, 0, -1, 1, 0, 4}, {1, 2, -1, 1, 2, 4}};
  const double expected[10] = {36, 36, 45, 40.5, 12, 48, 144, 171, 108, 172};
  Lines lines;
  const Vec3 first = grid.first_voxel();
  for (const auto& r : rays)
    lines.add(first + Vec3(r[2], r[1], r[0]) * grid.spacing, first + Vec3(r[5], r[4], r[3]) * grid.spacing);
  CpuBackend backend = cpu();
  const auto a = backend.make_listmode(grid, lines.list(), thin_lines());
  const auto values = project(backend, *a, image);
  for (int i = 0; i < 10; ++i) CHECK(values[static_cast<std::size_t>(i)] == Approx(expected[i]).epsilon(1e-7));
  const auto back = backproject(backend, *a, std::vector<float>(10, 1));
  CHECK(std::inner_product(image.begin(), image.end(), back.begin(), 0.0) ==
        Approx(std::accumulate(values.begin(), values.end(), 0.0)).epsilon(1e-7));
}

TEST_CASE("Lines and tubes through a uniform box measure their length in it") {
  const std::array<std::pair<LineOptions, double>, 3> shapes{
      {{thin_lines(), 1e-5}, {tubes(bessel_tube(14)), 2e-5}, {tubes(gaussian_tube(9, 20)), 1e-5}}};
  for (int turn = 0; turn < 3; ++turn)
    for (const auto& [options, tolerance] : shapes) {
      // Tubes are as wide as 20 mm, so that the box must be wider across than the line is long in it.
      const bool thin = options.line == LineOptions::Line::joseph;
      const int across = thin ? 1 : 2;
      Size3 size{50, 100, 25};
      const Vec3 spacing(2, 1, 4);
      for (std::size_t i = 0; i < 3; ++i)
        if (static_cast<int>(i) != turn) size[i] *= across;
      const VolumeGrid grid = grid_of(size, spacing);
      Lines lines;
      const auto add = [&](const glm::vec3& p, const glm::vec3& q) { lines.add(turned(p, turn), turned(q, turn)); };
      add({100, 0, 0}, {-100, 0, 0});
      add({50, 0, 0}, {-50, 0, 0});
      add({40, 0, 0}, {-40, 0, 0});
      add({50, 5, 0}, {-50, -4, 0});
      add({50, 5, -2}, {-50, -4, 3});
      CpuBackend backend = cpu();
      const auto values = project(backend, grid, lines, options, ones(grid));
      const double expected[] = {100, 100, 80, std::sqrt(100. * 100 + 9 * 9), std::sqrt(100. * 100 + 9 * 9 + 5 * 5)};
      for (std::size_t i = 0; i < 5; ++i) {
        INFO("turn " << turn << " line " << i << " " << describe(options, false));
        CHECK(values[i] == Approx(expected[i]).epsilon(tolerance));
      }
    }
}

TEST_CASE("Lines and tubes through a ball measure its chords") {
  const ChordErrors thin = chord_errors(thin_lines());
  CHECK(thin.mean < 1);  // a quarter of a voxel
  CHECK(thin.far < 0.15);
  CHECK(std::abs(thin.total) < 1e-3);
  // A tube averages over its cross-section: chords near the rim differ, their sum does not.
  const ChordErrors tube = chord_errors(tubes(bessel_tube(10)));
  CHECK(tube.mean < 1.6);
  CHECK(std::abs(tube.total) < 1e-3);
}

TEST_CASE("A tube's weight falls off with the distance from its axis, as its table says") {
  const VolumeGrid grid = grid_of({21, 23, 19}, Vec3(2, 3, 2.5));
  const TubeKernel shapes[] = {gaussian_tube(7, 8), box_tube(6), bessel_tube(9),
                               measured_tube({{0, 2}, {3, 2}, {8, 0.5}}, "profile")};
  const Vec3 p(-90, 31, 12), q(80, -44, -23);
  Lines lines;
  lines.add(p, q);
  for (const TubeKernel& kernel : shapes) {
    CpuBackend backend = cpu();
    const auto image =
        backproject(backend, *backend.make_listmode(grid, lines.list(), tubes(kernel)), std::vector<float>{1});
    const double cell = 2 * 3 * 2.5;
    double worst = 0, most = 0;
    std::size_t at = 0;
    for (std::int64_t k = 0; k < 19; ++k)
      for (std::int64_t j = 0; j < 23; ++j)
        for (std::int64_t i = 0; i < 21; ++i) {
          const Vec3 v = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
          const double r = glm::length(glm::cross(v - p, glm::normalize(q - p)));
          const double f = tube_weight(kernel.table.data(), r * r * kernel.entry_per_mm2());
          worst = std::max(worst, std::abs(image[at++] - cell * f));
          most = std::max(most, cell * f);
        }
    CHECK(worst < 1e-6 * most);
    CHECK(most > 0);
  }
}

TEST_CASE("Tables of tubes hold their shapes, of integral 1") {
  const auto integral = [](const TubeKernel& k) {
    double sum = 0;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
      const double r = (i + 0.5) / n * k.radius_mm;
      sum += 2 * pi * r * tube_weight(k.table.data(), r * r * k.entry_per_mm2()) * k.radius_mm / n;
    }
    return sum;
  };
  CHECK(integral(gaussian_tube(12, 6)) == Approx(1).epsilon(1e-5));
  CHECK(integral(box_tube(3)) == Approx(1).epsilon(1e-3));  // the last entry's slope
  CHECK(integral(bessel_tube(4)) == Approx(1).epsilon(1e-5));
  const auto at = [](const TubeKernel& k, double r) {
    return double(tube_weight(k.table.data(), r * r * k.entry_per_mm2()));
  };
  const TubeKernel gauss = gaussian_tube(12, 12);
  CHECK(at(gauss, 6) / at(gauss, 0) == Approx(0.5).epsilon(1e-5));  // full width at half maximum
  CHECK(at(gauss, 12.1) == 0);
  CHECK(at(box_tube(3), 2.9) == Approx(1 / (pi * 9)).epsilon(1e-3));
  const TubeKernel measured = measured_tube({{0, 4}, {2, 4}, {4, 1}}, "profile");
  CHECK(at(measured, 3) / at(measured, 1) == Approx(2.5 / 4).epsilon(1e-5));
  // The blob's own projection is the Bessel tube.
  const TubeKernel bessel = bessel_tube(2.5);
  for (const double r : {0.0, 0.7, 1.9}) {
    double line = 0;
    for (int i = -5000; i < 5000; ++i) line += blob_value(std::hypot(r, (i + 0.5) * 2.5 / 5000), 2.5) * 2.5 / 5000;
    CHECK(line == Approx(at(bessel, r)).epsilon(1e-4));
  }
}

TEST_CASE("Wrong tubes and lines say so") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(gaussian_tube(0, 5), Contains("a width of 0 mm"));
  CHECK_THROWS_WITH(box_tube(-1), Contains("a radius of -1 mm"));
  CHECK_THROWS_WITH(measured_tube({{0, 1}}, "tube.txt"), Contains("tube.txt: has fewer than two distances"));
  CHECK_THROWS_WITH(measured_tube({{0, 1}, {2, 1}, {1, 0}}, "tube.txt"),
                    Contains("distance 3 is 1 mm; distances begin at 0 and ascend"));
  CHECK_THROWS_WITH(measured_tube({{0, 0}, {2, 0}}, "tube.txt"), Contains("weights add up to nothing"));
  CpuBackend backend = cpu();
  const VolumeGrid grid = grid_of({5, 5, 5}, Vec3(2));
  Lines lines = random_lines(4, 50);
  CHECK_THROWS_WITH(backend.make_listmode(grid, lines.list(), LineOptions{}), Contains("0 tube kernels"));
  lines.tof_mm = {1, 2};
  CHECK_THROWS_WITH(backend.make_listmode(grid, lines.list(), thin_lines()),
                    Contains("2 offsets of time of flight for 4 lines"));
  add_tof(lines, 10);
  CHECK_THROWS_WITH(backend.make_listmode(grid, lines.list(), thin_lines()), Contains("no resolution is given"));
  lines.tof_mm.clear();
  lines.second[1] = 99;
  CHECK_THROWS_WITH(backend.make_listmode(grid, lines.list(), thin_lines()),
                    Contains("line 1 names a point that is not there"));
}

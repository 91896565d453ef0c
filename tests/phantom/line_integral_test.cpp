// Line integrals of random rectangles, as ASTRA's tests/python/functional/test_line2d.py: 50 loops of a seed, a
// tolerance of 2e-3 for interpolating models.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/model.hpp>

using namespace backlit;

namespace {

struct Rectangle {
  Vec3 low, high;
};

/// Length of the line point + t direction (a unit vector) inside the rectangle, in the plane.
double chord(const Rectangle& r, const Vec3& point, const Vec3& direction) {
  double enter = -1e9, leave = 1e9;
  for (int a = 0; a < 2; ++a) {
    if (std::abs(direction[a]) < 1e-12) {
      if (point[a] < r.low[a] || point[a] > r.high[a]) return 0;
      continue;
    }
    const double t0 = (r.low[a] - point[a]) / direction[a], t1 = (r.high[a] - point[a]) / direction[a];
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  return std::max(0.0, leave - enter);
}

/// Between voxels a slice runs linearly from outside to inside over one voxel: as the mean of the exact
/// chords of rays shifted by up to half a voxel along the slice. So, and not as a step, interpolating models see edges.
double feathered(const Rectangle& r, const Vec3& point, const Vec3& direction, int slice_axis, double voxel) {
  constexpr int shifts = 200;
  Vec3 shift(0);
  double sum = 0;
  for (int i = 0; i < shifts; ++i) {
    shift[slice_axis] = ((i + 0.5) / shifts - 0.5) * voxel;
    sum += chord(r, point + shift, direction);
  }
  return sum / shifts;
}

}  // namespace

TEST_CASE("Random rectangles project to the exact lengths of rays in them, within 2e-3") {
  std::mt19937 random(123);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto between = [&](double a, double b) { return a + (b - a) * unit(random); };
  auto backend = make_backend("cpu");
  double worst_clear = 0, worst = 0;
  std::int64_t clear = 0, met = 0;
  for (int loop = 0; loop < 50; ++loop) {
    const std::int64_t nx = 100 + static_cast<std::int64_t>(between(0, 60)),
                       ny = 100 + static_cast<std::int64_t>(between(0, 60));
    const VolumeGrid grid{{nx, ny, 1}, Vec3(between(0.5, 2)), Vec3(between(-9, 9), between(-9, 9), 0)};
    const double voxel = grid.spacing.x;
    // A rectangle of whole voxels, clear of the grid's rim.
    const auto i0 = static_cast<std::int64_t>(between(2, 30)), j0 = static_cast<std::int64_t>(between(2, 30));
    const auto i1 = nx - 1 - static_cast<std::int64_t>(between(2, 30)),
               j1 = ny - 1 - static_cast<std::int64_t>(between(2, 30));
    std::vector<float> image(static_cast<std::size_t>(nx * ny), 0.0f);
    for (std::int64_t j = j0; j <= j1; ++j)
      for (std::int64_t i = i0; i <= i1; ++i) image[static_cast<std::size_t>(j * nx + i)] = 1;
    const auto corner = [&](std::int64_t i, std::int64_t j, double side) {
      return grid.voxel_center(static_cast<double>(i) + side, static_cast<double>(j) + side, 0);
    };
    const Rectangle box{corner(i0, j0, -0.5), corner(i1, j1, 0.5)};

    Detector d;
    d.columns = 151;
    d.rows = 1;
    d.pixel_u = between(0.7, 1.5) * voxel;
    const std::vector<double> angles{between(0, 360), between(0, 360)};
    const double radius = 200 * voxel;
    const Scan scan{d, loop % 2 ? parallel_views(d, angles) : circular_views(d, angles, radius, 1.3 * radius)};
    auto a = backend->make_ct(grid, scan, {.model = Model::joseph});
    auto x = a->make_domain(), y = a->make_range(2);
    backend->upload(image, *x);
    a->forward(*x, *y, a->all(), Write::overwrite);
    std::vector<float> sums(static_cast<std::size_t>(y->count()));
    backend->download(*y, sums);

    for (std::int64_t v = 0; v < 2; ++v)
      for (std::int64_t column = 0; column < d.columns; ++column) {
        const View& view = scan.views[static_cast<std::size_t>(v)];
        const Vec3 pixel = detector_point(d, view, static_cast<double>(column), 0);
        const Vec3 ray = ray_direction(d, view, static_cast<double>(column), 0);
        const int main = std::abs(ray.x) > std::abs(ray.y) ? 0 : 1, across = 1 - main;
        const double sum = sums[static_cast<std::size_t>(v * d.columns + column)];
        const double longest = (box.high[main] - box.low[main]) / std::abs(ray[main]);
        // Rays through both faces along their main axis, a voxel clear of the corners: no edge is interpolated.
        const auto at = [&](double where) { return pixel[across] + ray[across] * (where - pixel[main]) / ray[main]; };
        const double a0 = at(box.low[main]), a1 = at(box.high[main]);
        const bool inside = std::min(a0, a1) > box.low[across] + voxel && std::max(a0, a1) < box.high[across] - voxel;
        INFO("loop " << loop << ", view " << v << ", column " << column);
        if (inside) {
          ++clear;
          worst_clear = std::max(worst_clear, std::abs(sum / chord(box, pixel, ray) - 1));
        }
        const double expected = feathered(box, pixel, ray, across, voxel);
        if (expected > 0) ++met;
        worst = std::max(worst, std::abs(sum - expected) / longest);
      }
  }
  INFO(clear << " clear rays, worst " << worst_clear << "; " << met << " rays, worst " << worst);
  CHECK(clear > 3000);
  CHECK(met > 8000);
  CHECK(worst_clear < 1e-6);
  CHECK(worst < 2e-3);
}

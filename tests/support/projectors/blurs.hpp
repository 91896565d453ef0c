// Smoothing by a backend compared with explicit sums, and a resolution model compared with the CPU's.
#pragma once

#include <catch2/catch.hpp>

#include <numeric>

#include <backlit/projectors/blurred.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "support/projectors/line_cases.hpp"
#include "support/relative_l2.hpp"

namespace backlit::test {

/// Smooths voxel by voxel from the Gaussian's formula: cut at 4 sigma (or the grid's size), sum 1, zeros outside the
/// grid.
inline std::vector<double> smoothed_by_hand(const VolumeGrid& grid, double fwhm_mm, std::span<const float> image) {
  std::vector<double> values(image.begin(), image.end());
  const std::int64_t strides[3] = {1, grid.size[0], grid.size[0] * grid.size[1]};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t n = grid.size[static_cast<std::size_t>(axis)];
    const double sigma = fwhm_mm / 2.3548200450309493 / grid.spacing[axis];
    const auto reach = std::min(static_cast<std::int64_t>(std::ceil(4 * sigma)), n);
    const auto gauss = [&](std::int64_t k) { return std::exp(-0.5 * double(k * k) / (sigma * sigma)); };
    double whole = 0;
    for (std::int64_t k = -reach; k <= reach; ++k) whole += gauss(k);
    std::vector<double> next(values.size());
    for (std::int64_t v = 0; v < grid.voxels(); ++v) {
      const std::int64_t i = v / strides[axis] % n;
      for (std::int64_t k = std::max(-reach, -i); k <= std::min(reach, n - 1 - i); ++k)
        next[static_cast<std::size_t>(v)] += gauss(k) / whole * values[static_cast<std::size_t>(v + k * strides[axis])];
    }
    values = next;
  }
  return values;
}

/// Odd grids; some are one voxel thick, or thinner than the Gaussian's width.
inline void check_blur(Backend& backend) {
  for (const Size3& size : {Size3{37, 21, 13}, Size3{65, 9, 1}, Size3{1, 7, 5}})
    for (const double fwhm : {0.7, 5.0, 40.0}) {
      INFO(size[0] << " x " << size[1] << " x " << size[2] << ", " << fwhm << " mm");
      const VolumeGrid grid{size, Vec3(2, 1.5, 3.1), Vec3(0)};
      GaussianBlur blur(backend, grid, fwhm);
      const auto x = random_values(grid.voxels(), 1), y = random_values(grid.voxels(), 2, -1);
      auto gx = x, gy = y;
      blur(gx);
      blur(gy);
      CHECK(relative_l2(gx, smoothed_by_hand(grid, fwhm, x)) < 3e-7);
      const double one = std::inner_product(gx.begin(), gx.end(), y.begin(), 0.0);
      const double other = std::inner_product(x.begin(), x.end(), gy.begin(), 0.0);
      double most = 0;
      for (std::size_t i = 0; i < x.size(); ++i) most += std::abs(double(gx[i]) * y[i]);
      CHECK(std::abs(one - other) < 1e-6 * most);
    }
}

/// Lines through a smoothed image, and the transpose, compared with the CPU's; the operators share a blur.
inline void check_blurred_lines(Backend& backend, double tolerance) {
  const LineCase c = line_cases()[3];
  const Lines lines = lines_for(c, 600);
  const auto x = random_values(c.grid.voxels(), 3), y = random_values(600, 4);
  LineOptions thin = thin_lines();
  thin.tof = c.options.tof;
  struct Result {
    std::vector<float> forward, back, twice, sensitivity;
  };
  const auto run = [&](Backend& b) {
    const auto blur = std::make_shared<GaussianBlur>(b, c.grid, 9);
    BlurredOperator other(b, b.make_listmode(c.grid, lines.list(), thin), blur);
    BlurredOperator a(b, b.make_listmode(c.grid, lines.list(), c.options), blur);
    project(b, other, x);
    Result r{project(b, a, x), backproject(b, a, y), std::vector<float>(x.size()), std::vector<float>(x.size())};
    const ArrayPtr image = a.make_domain(), values = a.make_range(a.range().n2);
    std::vector<float> padded = y;
    padded.resize(static_cast<std::size_t>(values->count()));
    b.upload(padded, *values);
    a.back(*values, *image, a.all(), Write::overwrite);
    a.back(*values, *image, a.all(), Write::accumulate);
    b.download(*image, r.twice);
    a.sensitivity(*image, a.all());
    b.download(*image, r.sensitivity);
    return r;
  };
  CpuBackend cpu(BackendOptions{});
  const Result expected = run(cpu), result = run(backend);
  CHECK(relative_l2(result.forward, expected.forward) < tolerance);
  CHECK(relative_l2(result.back, expected.back) < tolerance);
  CHECK(relative_l2(result.twice, expected.twice) < tolerance);
  CHECK(relative_l2(result.sensitivity, expected.sensitivity) < tolerance);
  double one = 0, other = 0;
  for (std::size_t i = 0; i < y.size(); ++i) one += double(result.forward[i]) * y[i];
  for (std::size_t i = 0; i < x.size(); ++i) other += double(x[i]) * result.back[i];
  CHECK(one == Approx(other).epsilon(tolerance));
}

}  // namespace backlit::test

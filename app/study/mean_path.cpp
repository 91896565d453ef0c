#include "study/mean_path.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "study/bench/bench_data.hpp"

namespace backlit {
namespace {

/// Numbers of `path` steps from `start` to the entry into the grid's box and to the exit.
std::pair<double, double> within(const VolumeGrid& grid, const Vec3& start, const Vec3& path) {
  const Vec3 a = (grid.lower() - start) / path, b = (grid.upper() - start) / path;
  const Vec3 near = glm::min(a, b), far = glm::max(a, b);
  return {std::max({near.x, near.y, near.z}), std::min({far.x, far.y, far.z})};
}

}  // namespace

double mean_path_mm(const CameraRays& rays, const VolumeGrid& grid) {
  double sum = 0;
  for (std::int64_t y = 0; y < rays.height; ++y)
    for (std::int64_t x = 0; x < rays.width; ++x) {
      const auto at = [&](std::int64_t n) { return static_cast<double>(n); };
      const auto [from, to] = within(grid, rays.ray_origin(at(x), at(y)), rays.ray_direction(at(x), at(y)));
      sum += std::max(0.0, to - (rays.endless ? from : std::max(0.0, from)));
    }
  return sum / static_cast<double>(rays.width * rays.height);
}

MeanPath mean_path(const BenchCase& c) {
  constexpr std::size_t rays = 20000;
  const Detector& d = c.scan.detector;
  std::vector<float> random(3 * rays);
  fill_random(random);
  MeanPath sum;
  for (std::size_t n = 0; n < random.size(); n += 3) {
    const auto share = [&](std::size_t i) { return 0.5 * (1 + static_cast<double>(random[n + i])); };
    const View& view = c.scan.views[static_cast<std::size_t>(share(0) * static_cast<double>(c.scan.view_count()))];
    const Vec3 pixel = view.center + (share(1) - 0.5) * static_cast<double>(d.columns) * view.u +
                       (share(2) - 0.5) * static_cast<double>(d.rows) * view.v;
    const Vec3 path = pixel - view.source;
    const auto [from, to] = within(c.grid, view.source, path);
    if (!(from < to)) continue;
    const Vec3 crossed = glm::abs(path) * (to - from) / c.grid.spacing;
    sum.slices += std::max({crossed.x, crossed.y, crossed.z});
    sum.mm += glm::length(path) * (to - from);
  }
  return {sum.slices / rays, sum.mm / rays};
}

}  // namespace backlit

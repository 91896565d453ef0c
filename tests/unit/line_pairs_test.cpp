// What reconstruction at the point looked at is for: detail that a grid of voxels cannot hold.
#include "geometry/trajectory.hpp"
#include <catch2/catch.hpp>
#include "phantom/phantom.hpp"
#include "preprocess/fdk_filter.hpp"
#include "render/point_reconstruction.hpp"

namespace backlit {
namespace {

/// The disc and the group of 14 line pairs a cm of the shipped CTP528-like phantom.
Phantom fourteen_per_cm() {
  const Phantom whole = load_phantom("ctp528");
  Phantom p{"14 per cm", {whole.bodies.front()}};
  for (const Body& body : whole.bodies)
    if (std::abs(2 * body.half.y - 5.0 / 14) < 1e-3) p.bodies.push_back(body);
  return p;
}

/// (bars - gaps) / (what they really differ by), from values at the middles of bars and of the gaps between them.
template <class ValueAt>
double modulation(const Phantom& p, ValueAt&& value_at) {
  double bars = 0, gaps = 0;
  const std::size_t n = p.bodies.size() - 1;
  for (std::size_t i = 1; i <= n; ++i) {
    bars += value_at(p.bodies[i].center) / static_cast<double>(n);
    if (i < n) gaps += value_at(0.5 * (p.bodies[i].center + p.bodies[i + 1].center)) / static_cast<double>(n - 1);
  }
  return (bars - gaps) / p.bodies[1].value;
}

}  // namespace

TEST_CASE("From the projections 14 line pairs a cm are seen that a grid of 256 voxels a side does not show") {
  const Phantom group = fourteen_per_cm();
  REQUIRE(group.bodies.size() == 6);
  const Detector d{800, 1, 0.3, 0.3};  // 0.2 mm at the axis
  Projections p({d, circular_views(d, equal_angles(600), 400, 600)});
  project_phantom(group, p.scan, 0, p.scan.view_count(), 2, p.values.span());
  FdkFilter(p.scan, {}).run(0, p.values.span());
  const PointReconstruction points(p.scan, p.values.span());
  CHECK(modulation(group, [&](const Vec3& at) { return points.value(at); }) > 0.5);

  // 160 mm on 256 voxels; the picture of a volume is interpolated between them.
  const VolumeGrid grid{{256, 256, 1}, Vec3(160.0 / 256), Vec3(0)};
  Volume volume(grid);
  for (std::int64_t j = 0; j < 256; ++j)
    for (std::int64_t i = 0; i < 256; ++i) {
      const Vec3 at = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), 0);
      if (glm::length(at - group.bodies[3].center) < 9) volume.at(i, j, 0) = static_cast<float>(points.value(at));
    }
  const double on_grid = modulation(group, [&](const Vec3& at) {
    CutPlane pixel;
    pixel.center = at;
    pixel.width = pixel.height = 1;
    float value = 0;
    cut_volume(volume, pixel, {&value, 1});
    return static_cast<double>(value);
  });
  INFO("on the grid: " << on_grid);
  CHECK(std::abs(on_grid) < 0.1);
}

}  // namespace backlit

// What reconstruction at the point looked at is for: detail that a grid of voxels cannot hold.
#include <catch2/catch.hpp>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include "render/point_reconstruction.hpp"
#include "support/recon/line_pairs.hpp"

namespace backlit {
using test::fourteen_per_cm;
using test::modulation;

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

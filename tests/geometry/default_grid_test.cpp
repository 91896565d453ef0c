#include <backlit/geometry/default_grid.hpp>

#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>

using namespace backlit;

namespace {

Detector panel(std::int64_t columns, std::int64_t rows, double pixel_u, double pixel_v) {
  Detector d;
  d.columns = columns;
  d.rows = rows;
  d.pixel_u = pixel_u;
  d.pixel_v = pixel_v;
  return d;
}

}  // namespace

TEST_CASE("a parallel scan gets as many voxels as pixels") {
  const Detector d = panel(512, 40, 0.8, 0.8);
  const VolumeGrid g = default_grid({d, parallel_views(d, equal_angles(90, 0, 180))});
  CHECK(g.size == Size3{512, 512, 40});
  CHECK(g.spacing == Vec3(0.8));
  CHECK(g.center == Vec3(0));
  // One row: one slice, as thick as the row.
  const Detector line = panel(101, 1, 0.5, 2);
  const VolumeGrid slice = default_grid({line, parallel_views(line, equal_angles(90, 0, 180))});
  CHECK(slice.size == Size3{101, 101, 1});
  CHECK(slice.spacing == Vec3(0.5, 0.5, 2));
}

TEST_CASE("a half scan with a shifted axis sees the narrower side, a full one the wider") {
  const Detector d = panel(100, 1, 1, 1);
  DetectorPlacement place;
  place.offset_u = 20;  // 50 - 20 = 30 columns on one side of the axis, 70 on the other
  CHECK(default_grid({d, parallel_views(d, equal_angles(60, 0, 180), place)}).size == Size3{60, 60, 1});
  CHECK(default_grid({d, parallel_views(d, equal_angles(60, 0, 360), place)}).size == Size3{140, 140, 1});
}

TEST_CASE("a cone scan: voxels are pixels seen at the axis, the circle is what the fan covers") {
  const Detector d = panel(512, 512, 1, 1);
  const VolumeGrid g = default_grid({d, circular_views(d, equal_angles(360), 1000, 1500)});
  CHECK(g.spacing.x == Approx(2.0 / 3));
  CHECK(g.spacing.z == Approx(2.0 / 3));
  // sin(atan(256 / 1500)) * 1000 = 168.23 mm: 504.7 voxels across; 512 rows on the axis.
  CHECK(g.size == Size3{504, 504, 512});
  CHECK(g.center == Vec3(0));
}

TEST_CASE("rows of another height: cubic voxels of the smaller side, a shifted mid-plane moves the volume") {
  const Detector d = panel(200, 20, 1, 2);
  DetectorPlacement place;
  place.offset_v = 4;  // the mid-plane falls on row 9.5 + 4, so the detector reaches from -28 to 12 mm, halved
  const VolumeGrid g = default_grid({d, circular_views(d, equal_angles(30), 500, 1000, place)});
  CHECK(g.spacing.z == Approx(0.5));
  CHECK(g.size[2] == 40);
  CHECK(g.center.z == Approx(-4));
}

TEST_CASE("fan beams and half fans") {
  const Detector d = panel(560, 1, 0.2, 0.2);
  const VolumeGrid g = default_grid({d, circular_views(d, equal_angles(720), 410.66, 553.74)});
  CHECK(g.spacing.x == Approx(0.2 * 410.66 / 553.74));
  CHECK(g.size[0] == std::floor(2 * 410.66 * std::sin(std::atan(56 / 553.74)) / g.spacing.x));
  CHECK(g.size[2] == 1);
  DetectorPlacement place;
  place.offset_u = -200;  // 280 + 200 columns on the wider side
  const Scan half{d, circular_views(d, equal_angles(720), 410.66, 553.74, place)};
  CHECK(default_grid(half).size[0] == std::floor(2 * 410.66 * std::sin(std::atan(96 / 553.74)) / g.spacing.x));
  place.offset_u = 300;
  CHECK_THROWS_WITH(default_grid({d, circular_views(d, equal_angles(720), 410.66, 553.74, place)}),
                    "default volume: view 0 does not see the rotation axis; "
                    "give the volume's size and voxels ([volume], `grid` and `voxel`)");
}

TEST_CASE("a curved detector covers the circle of its fan angle") {
  Detector d = panel(888, 64, 1.0239, 1.0963);
  d.shape = Detector::Shape::curved;
  const VolumeGrid g = default_grid({d, circular_views(d, equal_angles(984), 541, 949)});
  const double voxel = 1.0239 * 541 / 949;
  CHECK(g.spacing.x == Approx(voxel));
  CHECK(g.size[0] == std::floor(2 * 541 * std::sin(444 * 1.0239 / 949) / voxel));
  CHECK(g.size[2] == std::floor(64 * 1.0963 * 541 / 949 / voxel));
}

TEST_CASE("a helical scan covers the way of its source") {
  const Detector d = panel(200, 16, 1, 1);
  std::vector<double> angles;
  for (int i = 0; i <= 144; ++i) angles.push_back(10.0 * i);  // four turns
  const VolumeGrid g = default_grid({d, helical_views(d, angles, 500, 1000, 20, -30)});
  CHECK(g.spacing.z == Approx(0.5));
  CHECK(g.size[2] == 160);
  CHECK(g.center.z == Approx(10));
  // A pitch so small that the rows see more than the way of the source.
  const VolumeGrid still = default_grid({d, helical_views(d, angles, 500, 1000, 0.25, 0)});
  CHECK(still.size[2] == 14);  // 8 mm of rows less 1 mm of way
}

TEST_CASE("laminography: a plate that stays inside the rows everywhere") {
  const Detector d = panel(400, 400, 0.5, 0.5);
  const Scan scan{d, laminographic_views(d, equal_angles(60), 0, 0, 30)};
  const VolumeGrid g = default_grid(scan);
  // 100 mm of rows each way; half for the width: radius 100 / 2 / sin 30 = 100 mm, but the columns cover 100 too.
  CHECK(g.size[0] == 400);
  CHECK(g.size[2] == std::floor(2 * 50 / std::cos(30 * radians_per_degree) / 0.5));
  const Vec3 rim(100 * std::cos(1.0), 100 * std::sin(1.0), g.upper().z);
  for (const View& view : scan.views) {
    const double row = 199.5 + glm::dot(rim - view.center, view.v) / 0.25;
    CHECK(row > -0.6);
    CHECK(row < 399.6);
  }
  CHECK_THROWS_WITH(default_grid({d, laminographic_views(d, equal_angles(60), 0, 0, 90)}),
                    Catch::Contains("view 0 run along the rotation axis"));
}

TEST_CASE("laminography with distances: pixels as large as at the origin") {
  const Detector d = panel(256, 256, 0.5, 0.5);
  const VolumeGrid g = default_grid({d, laminographic_views(d, equal_angles(60), 300, 600, 30)});
  CHECK(g.spacing.x == Approx(0.25));
  CHECK(std::abs(g.center.z) < 0.1 * static_cast<double>(g.size[2]) * g.spacing.z);
}

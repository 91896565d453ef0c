// The one rule by which scan files, command lines and windows choose a volume.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/geometry/trajectory.hpp>

using namespace backlit;

namespace {

const VolumeGrid base{{10, 20, 5}, {1, 0.5, 2}, {1, 2, 3}};  // a cube of 10 mm

GridOptions parsed(const std::string& size, const std::string& voxel, const std::string& center = "") {
  GridOptions options;
  Parameters list = describe(options);
  find_parameter(list, "grid").set(size);
  find_parameter(list, "voxel").set(voxel);
  find_parameter(list, "grid_center").set(center);
  return options;
}

}  // namespace

TEST_CASE("Voxels fill the box, rounded up, a size divides it into cubes, both are taken as they are", "[grid]") {
  CHECK(chosen_grid(base, {}) == base);
  CHECK(chosen_grid(base, parsed("", "3")) == VolumeGrid{{4, 4, 4}, Vec3(3), {1, 2, 3}});
  CHECK(chosen_grid(base, parsed("", "2.5x5x1")) == VolumeGrid{{4, 2, 10}, {2.5, 5, 1}, {1, 2, 3}});
  CHECK(chosen_grid(base, parsed("", "0.1")).size == Size3{100, 100, 100});  // 10 / 0.1 is more than 100 in doubles
  CHECK(chosen_grid(base, parsed("20", "")) == VolumeGrid{{20, 20, 20}, Vec3(0.5), {1, 2, 3}});
  CHECK(chosen_grid(base, parsed("20x5x8", "")) == VolumeGrid{{20, 5, 8}, Vec3(2), {1, 2, 3}});
  CHECK(chosen_grid(base, parsed("7,8,9", "0.3")) == VolumeGrid{{7, 8, 9}, Vec3(0.3), {1, 2, 3}});
  CHECK(chosen_grid(base, parsed("", "", "-1,0,2.5")) == VolumeGrid{base.size, base.spacing, {-1, 0, 2.5}});
}

TEST_CASE("A single slice stays one, and axes without a size keep theirs", "[grid]") {
  const VolumeGrid slice{{64, 64, 1}, {1, 1, 4}, Vec3(0)};
  CHECK(chosen_grid(slice, parsed("", "2")) == VolumeGrid{{32, 32, 1}, Vec3(2), Vec3(0)});
  CHECK(chosen_grid(slice, parsed("128x128x1", "")) == VolumeGrid{{128, 128, 1}, Vec3(0.5), Vec3(0)});
  GridOptions columns;
  columns.size = {20, 0, 0};
  CHECK(chosen_grid(base, columns) == VolumeGrid{{20, 20, 5}, Vec3(2), {1, 2, 3}});
}

TEST_CASE("Size and voxels in full mean a volume around the origin, also beside a raised detector", "[grid]") {
  Detector d;
  d.columns = 96;
  d.rows = 80;
  d.pixel_u = d.pixel_v = 2.5;
  const auto raised_by = [&](double rows) {
    return Scan{d, circular_views(d, equal_angles(12), 300, 450, {0, -rows, 0, 0, 0})};
  };
  const Scan scan = raised_by(2.4);  // 6 mm, which is 4 mm at the axis
  CHECK(default_grid(scan).center.z == Approx(4));
  CHECK(base_grid(scan, {}) == default_grid(scan));
  CHECK(base_grid(scan, parsed("64", "")) == default_grid(scan));
  CHECK(base_grid(scan, parsed("", "2")) == default_grid(scan));
  CHECK(base_grid(scan, parsed("64", "2")) == VolumeGrid{{64, 64, 64}, Vec3(2), Vec3(0)});
  CHECK(chosen_grid(base_grid(scan, parsed("64", "2", "0,0,7")), parsed("64", "2", "0,0,7")).center.z == 7);
  // A scan that does not see the origin keeps the middle of what it sees.
  CHECK(base_grid(raised_by(60), parsed("64", "2")).center.z == Approx(100));
}

TEST_CASE("What was parsed is written back, and what cannot be parsed is refused by name", "[grid]") {
  GridOptions options = parsed("7x8x9", "0.25", "1,2,3");
  Parameters list = describe(options);
  CHECK(find_parameter(list, "grid").text() == "7x8x9");
  CHECK(find_parameter(list, "voxel").text() == "0.25x0.25x0.25");
  CHECK(find_parameter(list, "grid_center").text() == "1,2,3");
  options = {};
  for (const Parameter& p : describe(options)) CHECK(p.text().empty());
  CHECK_THROWS_WITH(parsed("7x8", ""), Catch::StartsWith("grid: '7x8' is not understood"));
  CHECK_THROWS_WITH(parsed("0", ""), Catch::StartsWith("grid: 0 voxels along x"));
  CHECK_THROWS_WITH(parsed("", "-1"), Catch::StartsWith("voxel: voxel size -1 mm"));
  CHECK_THROWS_WITH(parsed("", "nan"), Catch::StartsWith("voxel: voxel size nan mm"));
  CHECK_THROWS_WITH(parsed("", "", "1,2"), Catch::StartsWith("grid_center: '1,2' is not understood"));
  CHECK_THROWS_AS(chosen_grid(base, parsed("", "1e-9")), InputError);
}

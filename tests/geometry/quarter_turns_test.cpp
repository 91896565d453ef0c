#include <backlit/geometry/quarter_turns.hpp>

#include <catch2/catch.hpp>
#include <cmath>

#include <backlit/geometry/trajectory.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/voxel_driven/orbit.hpp"

using namespace backlit;

namespace {

const Detector detector{33, 21, 1.3, 1.7};
const VolumeGrid grid{{8, 8, 5}, {2, 2, 3}, {0, 0, 4}};

void check_positions(const Scan& scan) {
  const QuarterTurns turns = find_quarter_turns(scan, grid);
  INFO(turns.refusal);
  REQUIRE(4 * turns.groups.size() == scan.views.size());
  for (const auto& group : turns.groups) {
    CHECK(std::abs(group.angle) <= pi / 4 + 1e-5);
    for (int n : {8, 9})
      for (int p = 0; p < orbit_side(n); ++p)
        for (int q = 0; q < orbit_side(n); ++q)
          for (int j = 0; j < 4; ++j) {
            const double half = n & 1 ? 0 : 0.5, x = 2 * (p + half), y = 2 * (q + half), z = 7;
            const double c = std::cos(group.angle), s = std::sin(group.angle);
            const auto [a, b] = orbit_point(x * c + y * s, y * c - x * s, j);
            const double r = turns.parallel ? 1 : 1 / (turns.distance - a);
            // Channel c fetched at point j belongs to point j + c.
            for (int channel = 0; channel < 4; ++channel) {
              const OrbitColumn at = orbit_column(p, q, (j + channel) & 3, n);
              const auto expected = project_point(
                  make_view_map(scan.detector,
                                scan.views[static_cast<std::size_t>(group.views[static_cast<std::size_t>(channel)])]),
                  2 * (at.i - 0.5 * (n - 1)), 2 * (at.j - 0.5 * (n - 1)), z);
              CHECK(turns.column0 + turns.columns * b * r == Approx(expected.column).margin(1e-9));
              CHECK(turns.row0 + turns.rows * (z - turns.source_z) * r == Approx(expected.row).margin(1e-9));
            }
          }
  }
}

}  // namespace

TEST_CASE("the four voxels of an orbit fall on one detector position of a quarter-turn group") {
  DetectorPlacement off;
  off.offset_u = 2.25;
  off.offset_v = -1.5;
  check_positions({detector, circular_views(detector, equal_angles(12, 7), 200, 330, off)});
  check_positions({detector, parallel_views(detector, equal_angles(8, -100), off)});
  check_positions({detector, circular_views(detector, equal_angles(8, 45, 720), 200, 330)});
}

TEST_CASE("in the order of its groups a scan has each of them together") {
  Scan scan{detector, circular_views(detector, equal_angles(12, 7), 200, 330)};
  const QuarterTurns turns = find_quarter_turns(scan, grid);
  CHECK_FALSE(turns.in_order());
  CHECK_FALSE(find_quarter_turns({detector, circular_views(detector, equal_angles(9), 200, 330)}, grid).in_order());
  const std::vector<std::int64_t> order = turns.order();
  REQUIRE(order.size() == 12);
  Scan ordered{detector, {}};
  for (const std::int64_t view : order) ordered.views.push_back(scan.views[static_cast<std::size_t>(view)]);
  const QuarterTurns same = find_quarter_turns(ordered, grid);
  CHECK(same.in_order());
  for (std::size_t n = 0; n < 3; ++n) CHECK(same.groups[n].angle == turns.groups[n].angle);
}

TEST_CASE("every voxel column of a slice belongs to exactly one orbit") {
  for (int n : {1, 2, 5, 8, 13}) {
    std::vector<int> hits(static_cast<std::size_t>(n * n));
    for (int p = 0; p < orbit_side(n); ++p)
      for (int q = 0; q < orbit_side(n); ++q)
        for (int j = 0; orbit_exists(p, q, n) && j < (orbit_is_axis(p, q, n) ? 1 : 4); ++j) {
          const OrbitColumn at = orbit_column(p, q, j, n);
          ++hits[static_cast<std::size_t>(at.j * n + at.i)];
        }
    CHECK(hits == std::vector<int>(static_cast<std::size_t>(n * n), 1));
  }
}

TEST_CASE("scans that cannot be packed say why") {
  const auto refusal = [&](const std::vector<View>& views, const VolumeGrid& g) {
    return find_quarter_turns({detector, views}, g).refusal;
  };
  const auto views = circular_views(detector, equal_angles(12), 200, 330);
  VolumeGrid oblong = grid, moved = grid;
  oblong.size[1] = 9;
  moved.center.x = 1;
  CHECK(refusal(views, oblong) == "the grid has 8 x 9 voxels a slice, not a square");
  CHECK(refusal(views, moved) == "the axis is not in the middle of the grid");
  CHECK(refusal(circular_views(detector, equal_angles(10), 200, 330), grid) == "view 9 has no partner 90 degrees on");
  CHECK(refusal(circular_views(detector, equal_angles(12, 0, 200), 200, 330), grid) != "");
  CHECK(refusal(helical_views(detector, equal_angles(12), 200, 330, 10, 0), grid) ==
        "view 1: its source or detector sits elsewhere than in view 0");
  DetectorPlacement tilt;
  tilt.tilt_n = 1;
  CHECK(refusal(circular_views(detector, equal_angles(12), 200, 330, tilt), grid) == "view 0: its detector is tilted");
}

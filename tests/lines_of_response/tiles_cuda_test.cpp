// Tiles of the image as CUDA's line kernels hold them in shared memory; no GPU is needed.
#include <catch2/catch.hpp>

#include <map>
#include <random>

#include "cuda/lines_of_response/visits.hpp"
#include "support/projectors/line_cases.hpp"

using namespace backlit;
using namespace backlit::test;
using namespace backlit::cuda;

namespace {

constexpr int hopper_floats = 28'896, small_floats = 10'000;  // two blocks a multiprocessor, and a smaller device

std::vector<LorGrid> grids() {
  std::vector<LorGrid> all;
  for (const VolumeGrid& g :
       {VolumeGrid{{37, 41, 13}, Vec3(4, 3.5, 5), Vec3(3, -2, 1)}, VolumeGrid{{75, 75, 75}, Vec3(4), Vec3(0)},
        VolumeGrid{{75, 75, 26}, Vec3(8, 8, 7), Vec3(0)}, VolumeGrid{{103, 103, 36}, Vec3(0.65, 0.65, 1.3), Vec3(0)},
        VolumeGrid{{150, 131, 97}, Vec3(2), Vec3(0)}, VolumeGrid{{5, 300, 1}, Vec3(9, 2, 3), Vec3(0)},
        VolumeGrid{{1, 1, 1}, Vec3(4), Vec3(0)}})
    all.push_back(lor_grid(g));
  return all;
}

/// Radii in units of the smallest spacing.
constexpr float radii[] = {0, 0.7f, 1.5f, 2.3f, 3.5f, 5, 7.5f};

LineRecord record_of(const Lor<double>& l) {
  return {float(l.a),     float(l.da),  float(l.b),   float(l.db),
          float(l.start), float(l.end), float(l.tof), static_cast<std::uint32_t>(l.axis)};
}

Lor<double> random_lor(const LorGrid& g, std::mt19937& engine) {
  std::uniform_real_distribution<double> any(-0.8, 0.8);
  double p[3], q[3];
  for (int i = 0; i < 3; ++i) {
    const double middle = g.first[i] + (g.size[i] - 1) * g.spacing[i] / 2, side = g.size[i] * g.spacing[i];
    p[i] = middle + any(engine) * side;
    q[i] = middle + any(engine) * side;
  }
  return make_lor<double>(p, q, 0, g);
}

}  // namespace

TEST_CASE("No tile takes more shared memory than there is, with margins of any taps that its axis' lines have") {
  for (const LorGrid& g : grids())
    for (const float r : radii)
      for (const int budget : {hopper_floats, small_floats}) {
        const float radius = r * static_cast<float>(std::min({g.spacing[0], g.spacing[1], g.spacing[2]}));
        const Tilings tilings = choose_tiles(g, radius, budget);
        INFO(g.size[0] << "x" << g.size[1] << "x" << g.size[2] << ", radius " << radius << " mm, " << budget);
        CHECK(most_floats(tilings) <= budget);
        for (int axis = 0; axis < 3; ++axis) {
          const Tiling& t = tilings.axis[axis];
          for (int tile = 0; tile < t.tiles[0] * t.tiles[1] * t.tiles[2]; ++tile)
            for (int c = 0; c <= t.widest; ++c) {
              const int taps = tap_classes[c];
              const Tile one = tile_of(t, {tile, axis, 0, taps, 0, 0});
              if (floats_of(one) > most_floats(tilings)) FAIL("axis " << axis << ", " << taps << " taps");
              // The first tap before, the last tap behind all voxels.
              const int before = taps <= most_margin_taps ? 1 - taps : 0, behind = before == 0 ? 0 : taps - 1;
              const auto place = [&](int k, int a, int b) {
                return first_voxel(one) + k * one.slice + b * one.row + a;
              };
              if (place(0, before, before) < 0) FAIL("before the tile");
              if (place(one.main - 1, one.a - 1 + behind, one.b - 1 + behind) >= floats_of(one)) FAIL("behind it");
            }
        }
      }
}

TEST_CASE("Lines visit the tiles of all voxels that they see once, with taps that tiles have room for") {
  std::mt19937 engine(5);
  for (const LorGrid& g : grids())
    for (const float r : radii) {
      const float radius = r * static_cast<float>(std::min({g.spacing[0], g.spacing[1], g.spacing[2]}));
      const Tilings tilings = choose_tiles(g, radius, small_floats);
      Tubes tubes{};
      tubes.count = 1;
      tubes.tube[0].radius = radius;
      INFO(g.size[0] << "x" << g.size[1] << "x" << g.size[2] << ", radius " << radius << " mm");
      for (int n = 0; n < 60; ++n) {
        const Lor<double> l = random_lor(g, engine);
        const Tiling& t = tilings.axis[l.axis];
        std::map<std::pair<int, int>, int> visited;  // (tile of this axis, slice of the image) to how often
        each_tile(record_of(l), tilings, tubes, TofTable{}, [&](int tile, int first, int count, int c) {
          REQUIRE(c <= t.widest);
          const Tile at = tile_of(t, {tile - t.first, l.axis, 0, tap_classes[c], 0, 0});
          REQUIRE(first >= 0);
          REQUIRE(first + count <= at.main);
          for (int k = first; k < first + count; ++k) ++visited[{tile - t.first, at.main0 + k}];
        });
        for (const auto& [place, times] : visited) REQUIRE(times == 1);
        // Voxels within reach, but for those that rounding decides about.
        const double sa = l.da * t.spacing[1] / t.spacing[0], sb = l.db * t.spacing[2] / t.spacing[0];
        const double reach_a = radius > 0 ? radius / t.spacing[1] * std::sqrt(1 + sa * sa) : 1;
        const double reach_b = radius > 0 ? radius / t.spacing[2] * std::sqrt(1 + sb * sb) : 1;
        for (int k = 0; k < t.size[0]; ++k) {
          if (slab_share(l, double(k)) <= 0) continue;
          const double a = l.a + k * l.da, b = l.b + k * l.db, slack = 1e-3;
          const int a0 = std::max(0, int(std::ceil(a - reach_a + slack)));
          const int a1 = std::min(t.size[1] - 1, int(std::floor(a + reach_a - slack)));
          const int b0 = std::max(0, int(std::ceil(b - reach_b + slack)));
          const int b1 = std::min(t.size[2] - 1, int(std::floor(b + reach_b - slack)));
          for (int j = b0; j <= b1; ++j)
            for (int i = a0; i <= a1; ++i) {
              const int tile = (k / t.tile[0] * t.tiles[2] + j / t.tile[2]) * t.tiles[1] + i / t.tile[1];
              if (visited.count({tile, k}) == 0) FAIL("line " << n << ": voxel " << i << ", " << j << " of " << k);
            }
        }
      }
    }
}

// Local thickness of plates, balls and rods, and exact distances.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/data/local_thickness.hpp>

using namespace backlit;

namespace {

template <class Inside>
Volume filled(const VolumeGrid& grid, Inside&& inside) {
  Volume v(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        v.at(i, j, k) =
            inside(grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k))) ? 1 : 0;
  return v;
}

/// Mean over the object.
double mean(const Volume& map) {
  double sum = 0, count = 0;
  for (const float v : map.values.span())
    if (v > 0) sum += v, ++count;
  return sum / count;
}

const VolumeGrid grid{{53, 47, 41}, {0.5, 0.5, 0.5}, {2, -1, 3}};

}  // namespace

TEST_CASE("Squared distances are those of a search over all voxels, on a grid that is not cubic") {
  const VolumeGrid odd{{9, 7, 5}, {1, 1.5, 0.7}, Vec3(0)};
  std::mt19937 random(4);
  std::vector<float> values(static_cast<std::size_t>(odd.voxels()));
  for (float& v : values) v = random() % 20 == 0 ? 0 : INFINITY;
  std::vector<float> found = values;
  squared_distances(odd, found);
  const auto place = [&](std::int64_t n) { return odd.spacing * Vec3(n % 9, n / 9 % 7, n / 63); };
  for (std::int64_t n = 0; n < odd.voxels(); ++n) {
    double least = INFINITY;
    for (std::int64_t m = 0; m < odd.voxels(); ++m)
      if (values[static_cast<std::size_t>(m)] == 0)
        least = std::min(least, glm::dot(place(n) - place(m), place(n) - place(m)));
    CHECK(found[static_cast<std::size_t>(n)] == Approx(least).margin(1e-6));
  }
  std::vector<float> none(values.size(), INFINITY);
  squared_distances(odd, none);
  CHECK(none.front() == INFINITY);
}

TEST_CASE("A plate is as thick as it is everywhere, also at the border of the grid") {
  for (const double thickness :
       {1.5, 3.0, 3.5, 6.0}) {  // of voxels of 0.5 mm, the middle of an even number between two
    Volume plate = filled(grid, [&](const Vec3& p) {
      const double middle = std::llround(2 * thickness) % 2 ? 3 : 3.25;
      return std::abs(p.z - middle) < 0.5 * thickness;
    });
    const Volume before = {grid, plate.values.clone()};
    local_thickness(plate);
    for (std::int64_t n = 0; n < grid.voxels(); ++n) {
      INFO(n);
      if (before.values[n] == 0)
        REQUIRE(plate.values[n] == 0);
      else
        REQUIRE(plate.values[n] == Approx(thickness).margin(0.26));
    }
  }
}

TEST_CASE("A ball and a rod about a voxel are as thick as their diameter, within a voxel") {
  Volume ball = filled(grid, [](const Vec3& p) { return glm::length(p - Vec3(2, -1, 3)) < 6; });
  local_thickness(ball);
  CHECK(mean(ball) == Approx(12).margin(0.5));
  Volume rod = filled(grid, [](const Vec3& p) { return std::hypot(p.x - 2, p.y + 1) < 4; });
  local_thickness(rod);
  CHECK(mean(rod) == Approx(8).margin(0.5));
}

TEST_CASE("Two plates in one object keep their thickness, and an empty one has none") {
  Volume two = filled(grid, [](const Vec3& p) {
    return p.x > -10 && (std::abs(p.z - 3) < 0.75 || (p.x < -4 && std::abs(p.z - 3) < 3.25));
  });
  local_thickness(two);
  const auto at = [&](double x) {
    const auto i = std::llround((x - grid.first_voxel().x) / grid.spacing.x);
    return two.at(i, 23, 20);
  };
  CHECK(at(10) == Approx(1.5).margin(0.26));
  CHECK(at(-7) == Approx(6).margin(0.51));  // 6 wide, 6.5 high: the largest ball has 6
  Volume none(grid);
  local_thickness(none);
  CHECK(mean(none) != mean(none));
}

TEST_CASE("Thickness is cancelled between two radii") {
  Volume ball = filled(grid, [](const Vec3& p) { return glm::length(p) < 6; });
  Progress silent;
  CancelToken cancel;
  cancel.request();
  CHECK_THROWS_AS(local_thickness(ball, Watch(silent, cancel)), Cancelled);
}

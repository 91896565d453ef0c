#include "io/lists/crystal_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace backlit {

CrystalFinder::CrystalFinder(const Scanner& scanner)
    : scanner_(scanner),
      cell_(std::max({20.0, 2 * scanner.crystal_mm.x, 2 * scanner.crystal_mm.y, 2 * scanner.crystal_mm.z})) {
  for (std::size_t i = 0; i < scanner.position.size(); ++i)
    cells_[key(cell_of(Vec3(scanner.position[i])))].push_back(static_cast<std::uint32_t>(i));
}

glm::ivec3 CrystalFinder::cell_of(const Vec3& point) const {
  constexpr double most = 1e5;  // cells: further away there is no crystal
  return glm::ivec3(glm::floor(glm::clamp(point / cell_, Vec3(-most), Vec3(most))));
}

std::int64_t CrystalFinder::key(const glm::ivec3& cell) const {
  constexpr std::int64_t width = 1 << 20;
  return (cell.x * width + cell.y) * width + cell.z;
}

CrystalFinder::Found CrystalFinder::nearest(const Vec3& point) const {
  Found found{0, std::numeric_limits<double>::infinity()};
  const glm::ivec3 middle = cell_of(point);
  for (int n = 0; n < 27; ++n) {
    const auto cell = cells_.find(key(middle + glm::ivec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)));
    if (cell == cells_.end()) continue;
    for (const std::uint32_t i : cell->second) {
      const double distance = glm::distance(point, Vec3(scanner_.position[i]));
      if (distance < found.distance) found = {i, distance};
    }
  }
  return found;
}

}  // namespace backlit

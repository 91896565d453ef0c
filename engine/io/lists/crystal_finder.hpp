// Which crystal of a scanner a point lies in, or next to.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <backlit/data/scanner.hpp>

namespace backlit {

class CrystalFinder {
 public:
  /// The scanner must outlive it.
  explicit CrystalFinder(const Scanner&);

  struct Found {
    std::uint32_t crystal = 0;
    double distance = 0;  ///< mm from its position
  };
  /// The crystal whose position is nearest; exact up to reach(), beyond it any distance is more than reach().
  Found nearest(const Vec3& point) const;
  /// mm: twice the longest edge of a crystal, at least 20.
  double reach() const { return cell_; }

 private:
  std::int64_t key(const glm::ivec3& cell) const;
  glm::ivec3 cell_of(const Vec3& point) const;

  const Scanner& scanner_;
  double cell_;
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> cells_;
};

}  // namespace backlit

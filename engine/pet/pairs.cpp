#include "pet/pairs.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr std::uint64_t pair_group = 0x70616972;  // a separate stream of random numbers

}  // namespace

CrystalPairs::CrystalPairs(const Scanner& scanner)
    : min_angle_(static_cast<float>(scanner.coincidence.min_angle_deg * radians_per_degree - 1e-5)),
      max_axial_(static_cast<float>(scanner.coincidence.max_axial_mm + 1e-3)),
      representatives_(scanner.crystals()),
      per_ring_(scanner.crystals()),
      per_module_(scanner.crystals()) {
  for (const Vec3f& p : scanner.position) {
    azimuth_.push_back(std::atan2(p.y, p.x));
    z_.push_back(p.z);
  }
  if (!scanner.layout) return;
  per_ring_ = scanner.layout->per_ring();
  per_module_ = scanner.layout->module_crystals;
  representatives_ = scanner.crystals() / per_ring_ * per_module_;
}

bool CrystalPairs::coincide(std::int64_t crystal1, std::int64_t crystal2) const {
  const auto a = static_cast<std::size_t>(crystal1), b = static_cast<std::size_t>(crystal2);
  if (a == b || std::abs(z_[a] - z_[b]) > max_axial_) return false;
  const float difference = std::abs(azimuth_[a] - azimuth_[b]);
  return std::min(difference, 2 * static_cast<float>(pi) - difference) >= min_angle_;
}

/// The number of pairs when only the angle counts: the partners of a crystal are then consecutive in the order of
/// azimuths.
std::int64_t CrystalPairs::count_by_angle() const {
  std::vector<float> around = azimuth_;
  std::ranges::sort(around);
  std::int64_t found = 0;
  for (auto one = around.begin(); one != around.end(); ++one) {
    const auto near = [&](float other) { return other - *one < min_angle_; };
    const auto before_near_again = [&](float other) {
      return 2 * static_cast<float>(pi) - (other - *one) >= min_angle_;
    };
    const auto first = std::partition_point(one + 1, around.end(), near);
    found += std::partition_point(first, around.end(), before_near_again) - first;
  }
  return found;
}

std::int64_t CrystalPairs::count() const {
  const bool all_alike = representatives_ == static_cast<std::int64_t>(azimuth_.size());
  if (all_alike && !z_.empty() && *std::ranges::max_element(z_) - *std::ranges::min_element(z_) <= max_axial_)
    return count_by_angle();
  return static_cast<std::int64_t>(sum([](std::int64_t, std::int64_t) { return 1.0; }));
}

std::vector<std::uint32_t> CrystalPairs::partners(std::int64_t crystal1) const {
  std::vector<std::uint32_t> found;
  for (std::int64_t other = crystal1 + 1; other < static_cast<std::int64_t>(azimuth_.size()); ++other)
    if (coincide(crystal1, other)) found.push_back(static_cast<std::uint32_t>(other));
  return found;
}

void CrystalPairs::draw(CounterRandom& random, std::uint32_t& crystal1, std::uint32_t& crystal2) const {
  constexpr int most_tries = 1'000'000;
  const auto crystals = static_cast<double>(azimuth_.size());
  for (int tries = 0; tries < most_tries; ++tries) {
    crystal1 = static_cast<std::uint32_t>(random.uniform() * crystals);
    crystal2 = static_cast<std::uint32_t>(random.uniform() * crystals);
    if (coincide(crystal1, crystal2)) return;
  }
  throw InputError("scanner", "(almost) no pair of its crystals is in coincidence",
                   "loosen its rule: a smaller angle, a larger axial distance");
}

void CrystalPairs::random(std::uint64_t seed, std::int64_t first, std::span<std::uint32_t> crystal1,
                          std::span<std::uint32_t> crystal2) const {
  parallel_chunks(
      static_cast<std::int64_t>(crystal1.size()),
      [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          CounterRandom numbers(seed, static_cast<std::uint64_t>(first) + i, pair_group);
          draw(numbers, crystal1[i], crystal2[i]);
        }
      },
      1 << 12);
}

}  // namespace backlit

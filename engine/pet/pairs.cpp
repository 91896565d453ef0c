#include "pet/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "phantom/random.hpp"

namespace backlit {
namespace {

constexpr std::uint64_t pair_group = 0x70616972;  // a stream of random numbers of its own

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

std::int64_t CrystalPairs::count() const {
  if (azimuth_.empty()) return 0;
  const auto crystals = static_cast<std::int64_t>(azimuth_.size());
  // The scanner looks the same from every module: count the partners of one module's crystals.
  const double partners = parallel_sum(
      representatives_,
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t found = 0;
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t crystal = i / per_module_ * per_ring_ + i % per_module_;
          for (std::int64_t other = 0; other < crystals; ++other) found += coincide(crystal, other);
        }
        return static_cast<double>(found);
      },
      16);
  return static_cast<std::int64_t>(partners) * (per_ring_ / per_module_) / 2;
}

std::vector<std::uint32_t> CrystalPairs::partners(std::int64_t crystal1) const {
  std::vector<std::uint32_t> found;
  for (std::int64_t other = crystal1 + 1; other < static_cast<std::int64_t>(azimuth_.size()); ++other)
    if (coincide(crystal1, other)) found.push_back(static_cast<std::uint32_t>(other));
  return found;
}

void CrystalPairs::random(std::uint64_t seed, std::int64_t first, std::span<std::uint32_t> crystal1,
                          std::span<std::uint32_t> crystal2) const {
  constexpr int most_tries = 1'000'000;
  const auto crystals = static_cast<double>(azimuth_.size());
  parallel_chunks(
      static_cast<std::int64_t>(crystal1.size()),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          CounterRandom draw(seed, static_cast<std::uint64_t>(first + i), pair_group);
          std::int64_t a = 0, b = 0;
          for (int tries = 0; !coincide(a, b); ++tries) {
            if (tries == most_tries)
              throw InputError("scanner", "(almost) no pair of its crystals is in coincidence",
                               "loosen its rule: a smaller angle, a larger axial distance");
            a = static_cast<std::int64_t>(draw.uniform() * crystals);
            b = static_cast<std::int64_t>(draw.uniform() * crystals);
          }
          crystal1[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(a);
          crystal2[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(b);
        }
      },
      1 << 12);
}

}  // namespace backlit

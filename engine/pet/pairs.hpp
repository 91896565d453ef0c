// Pairs of crystals that may count coincidences: their number, lists of them, and random ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <backlit/core/parallel.hpp>
#include <backlit/data/scanner.hpp>
#include "phantom/random.hpp"

namespace backlit {

class CrystalPairs {
 public:
  explicit CrystalPairs(const Scanner&);

  /// Scanner::in_coincidence(), faster.
  bool coincide(std::int64_t crystal1, std::int64_t crystal2) const;
  /// All unordered pairs in coincidence.
  std::int64_t count() const;
  /// Sum of weight(crystal1, crystal2) over all unordered pairs in coincidence, for weights that are symmetric and the
  /// same for every module.
  template <class Weight>
  double sum(Weight&& weight) const;
  /// The crystals with numbers above `crystal1` in coincidence with it, ascending. Calls for all crystals give every
  /// pair once.
  std::vector<std::uint32_t> partners(std::int64_t crystal1) const;
  /// Draws one pair; all pairs are equally likely. Throws InputError when no pair is in coincidence.
  void draw(CounterRandom&, std::uint32_t& crystal1, std::uint32_t& crystal2) const;
  /// Pairs first, first + 1, ... of an endless random list in which every pair is equally likely. Pair i depends on
  /// seed and i alone. Both spans have the same length.
  void random(std::uint64_t seed, std::int64_t first, std::span<std::uint32_t> crystal1,
              std::span<std::uint32_t> crystal2) const;

 private:
  std::int64_t count_by_angle() const;

  std::vector<float> azimuth_, z_;
  float min_angle_, max_axial_;
  std::int64_t representatives_;  ///< crystals of one module (all, where the scanner has no modules)
  std::int64_t per_ring_, per_module_;
};

template <class Weight>
double CrystalPairs::sum(Weight&& weight) const {
  if (azimuth_.empty()) return 0;
  const auto crystals = static_cast<std::int64_t>(azimuth_.size());
  // The scanner is the same for every module: sum over the partners of one module's crystals.
  const double once = parallel_sum(
      representatives_,
      [&](std::int64_t begin, std::int64_t end) {
        double found = 0;
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t crystal = i / per_module_ * per_ring_ + i % per_module_;
          for (std::int64_t other = 0; other < crystals; ++other)
            if (coincide(crystal, other)) found += weight(crystal, other);
        }
        return found;
      },
      16);
  return once * static_cast<double>(per_ring_ / per_module_) / 2;
}

}  // namespace backlit

// Which pairs of crystals may count coincidences: how many, which, and random ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/scanner.hpp"

namespace backlit {

class CrystalPairs {
 public:
  explicit CrystalPairs(const Scanner&);

  /// Scanner::in_coincidence(), faster.
  bool coincide(std::int64_t crystal1, std::int64_t crystal2) const;
  /// All unordered pairs in coincidence.
  std::int64_t count() const;
  /// The crystals above `crystal1` in coincidence with it, ascending: over all crystals, every pair once.
  std::vector<std::uint32_t> partners(std::int64_t crystal1) const;
  /// Pairs first, first + 1, ... of an endless list without order in which every pair is equally likely; pair i depends
  /// on seed and i alone. Both spans have one length. Throws InputError when no pair is in coincidence.
  void random(std::uint64_t seed, std::int64_t first, std::span<std::uint32_t> crystal1,
              std::span<std::uint32_t> crystal2) const;

 private:
  std::vector<float> azimuth_, z_;
  float min_angle_, max_axial_;
  std::int64_t representatives_;  ///< crystals of one module (all, where the scanner has no modules)
  std::int64_t per_ring_, per_module_;
};

}  // namespace backlit

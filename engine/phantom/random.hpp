// Random numbers from counters, and exact Poisson and normal variates.
#pragma once

#include <array>
#include <cstdint>

namespace backlit {

/// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A separate stream for every seed, index and group (below 2^32). It is the same on any thread, in any order.
class CounterRandom {
 public:
  CounterRandom(std::uint64_t seed, std::uint64_t index, std::uint64_t group);

  /// Uniform in the open interval (0, 1), 52 bits.
  double uniform();

 private:
  std::array<std::uint32_t, 4> counter_;  // index, group, index >> 32, blocks drawn
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> block_{};
  int left_ = 0;
};

/// Standard normal (Box and Muller).
double gaussian(CounterRandom& random);

/// Poisson, exact for any mean up to 1e15: inversion below 10, above it Hoermann's transformed rejection (PTRS,
/// Insurance: Mathematics and Economics 12, 1993). 0 for a mean that is not positive.
double poisson(CounterRandom& random, double mean);

}  // namespace backlit

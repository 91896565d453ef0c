#include "phantom/random.hpp"

#include <cmath>
#include <numbers>

namespace backlit {
namespace {

/// log(k!), by Stirling's series from 10 on. (std::lgamma writes a global.)
double log_factorial(double k) {
  if (k < 10) {
    double product = 1;
    for (int i = 2; i <= static_cast<int>(k); ++i) product *= i;
    return std::log(product);
  }
  const double x = k + 1, r = 1 / (x * x);
  return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) +
         (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r / 1680))) / x;
}

double poisson_by_inversion(CounterRandom& random, double mean) {
  const double u = random.uniform();
  double probability = std::exp(-mean), sum = probability;
  double k = 0;
  while (u > sum && probability > 0) {
    ++k;
    probability *= mean / k;
    sum += probability;
  }
  return k;
}

double poisson_by_rejection(CounterRandom& random, double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), fast = 0.9277 - 3.6224 / (b - 2);
  const double log_mean = std::log(mean);
  for (;;) {
    const double u = random.uniform() - 0.5, v = random.uniform();
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= fast) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v * inverse_alpha / (a / (us * us) + b)) <= k * log_mean - mean - log_factorial(k)) return k;
  }
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = 0xD2511F53ull * c[0], p1 = 0xCD9E8D57ull * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return c;
}

CounterRandom::CounterRandom(std::uint64_t seed, std::uint64_t index, std::uint64_t group)
    : counter_{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(group),
               static_cast<std::uint32_t>(index >> 32), 0},
      key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

double CounterRandom::uniform() {
  if (left_ == 0) {
    block_ = philox(counter_, key_);
    ++counter_[3];
    left_ = 2;
  }
  --left_;
  const auto i = static_cast<std::size_t>(2 * left_);
  const std::uint64_t bits = (static_cast<std::uint64_t>(block_[i]) << 32 | block_[i + 1]) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

double gaussian(CounterRandom& random) {
  const double radius = std::sqrt(-2 * std::log(random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

double poisson(CounterRandom& random, double mean) {
  if (!(mean > 0)) return 0;
  return mean < 10 ? poisson_by_inversion(random, mean) : poisson_by_rejection(random, mean);
}

}  // namespace backlit

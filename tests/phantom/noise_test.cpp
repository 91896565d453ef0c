#include <omp.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/phantom/phantom.hpp>
#include "phantom/random.hpp"

using namespace backlit;

TEST_CASE("philox gives its published values") {
  using Four = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("Poisson variates have the mean, the variance and the distribution they should") {
  constexpr int n = 100000;
  for (double mean : {0.01, 0.7, 4.0, 9.99, 10.0, 37.0, 1e3, 1e6, 1e12}) {
    INFO("mean " << mean);
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      CounterRandom random(5, static_cast<std::uint64_t>(i), 0);
      const double d = poisson(random, mean) - mean;
      sum += d;
      squares += d * d;
    }
    // Five standard deviations of the estimates themselves.
    CHECK(std::abs(sum / n) < 5 * std::sqrt(mean / n));
    CHECK(std::abs(squares / n - mean) < 5 * std::sqrt((mean + 2 * mean * mean) / n));
  }
  for (double mean : {3.0, 12.0, 40.0}) {
    INFO("mean " << mean);
    std::vector<double> seen(200);
    for (int i = 0; i < n; ++i) {
      CounterRandom random(6, static_cast<std::uint64_t>(i), 1);
      seen[static_cast<std::size_t>(std::min(199.0, poisson(random, mean)))] += 1;
    }
    double chi2 = 0;
    int bins = 0;
    for (int k = 0; k < 199; ++k) {
      const double expected = n * std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
      if (expected < 10) continue;
      chi2 += std::pow(seen[static_cast<std::size_t>(k)] - expected, 2) / expected;
      ++bins;
    }
    CHECK(chi2 < bins + 5 * std::sqrt(2.0 * bins));
  }
  CounterRandom random(1, 2, 3);
  CHECK(poisson(random, 0) == 0);
  CHECK(poisson(random, -1) == 0);
}

TEST_CASE("noise depends on seed, view and pixel alone") {
  const std::vector<float> clean(10007, 1.5f);
  const NoiseOptions options{1000, 5, 42};
  std::vector<float> a = clean, b = clean, c = clean, d = clean;
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  add_noise(options, 3, a);
  omp_set_num_threads(4);
  add_noise(options, 3, b);
  omp_set_num_threads(threads);
  CHECK(a == b);
  add_noise(options, 4, c);
  CHECK(a != c);
  add_noise({1000, 5, 43}, 3, d);
  CHECK(a != d);
  // A pixel's noise is its own: the first half of a view does not depend on the second.
  std::vector<float> front(clean.begin(), clean.begin() + 5000);
  add_noise(options, 3, front);
  CHECK(std::equal(front.begin(), front.end(), a.begin()));
}

TEST_CASE("noise has the variance of its counts, keeps to half a count, and can be left out") {
  constexpr double photons = 1e5, electronic = 50;
  std::vector<float> noisy(200000, 2.0f);
  add_noise({photons, electronic, 1}, 0, noisy);
  double sum = 0, squares = 0;
  for (float value : noisy) {
    const double counts = photons * std::exp(-static_cast<double>(value));
    sum += counts;
    squares += counts * counts;
  }
  const double n = static_cast<double>(noisy.size()), mean = sum / n, expected = photons * std::exp(-2.0);
  CHECK(mean == Approx(expected).epsilon(5 * std::sqrt(expected + 2500) / expected / std::sqrt(n)));
  CHECK(squares / n - mean * mean == Approx(expected + electronic * electronic).epsilon(0.02));

  std::vector<float> opaque(1000, 100.0f), clean(1000, 1.25f);
  add_noise({1000, 0, 1}, 0, opaque);
  for (float value : opaque) CHECK(value == Approx(std::log(2000.0)));
  add_noise({0, 0, 1}, 0, clean);
  for (float value : clean) CHECK(value == 1.25f);

  CHECK_THROWS_WITH(add_noise({-1, 0, 1}, 0, clean), "noise: -1 photons a pixel; give 0 to 1e15");
  CHECK_THROWS_WITH(add_noise({1, NAN, 1}, 0, clean), "noise: electronic noise of nan counts; give 0 to 1e15");
}

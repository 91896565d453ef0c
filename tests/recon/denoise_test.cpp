// Noise in a volume: found, and smoothed without its edges.
#include <backlit/recon/denoise.hpp>

#include <catch2/catch.hpp>

#include <cmath>

#include "support/recon/noisy_ball.hpp"

using namespace backlit;

TEST_CASE("The noise in a volume is found beside edges, and where most of it is empty") {
  CHECK(noise_in(test::noisy_ball(0.2f)) == Approx(0.2).epsilon(0.1));
  CHECK(noise_in(test::noisy_ball(0.02f)) == Approx(0.02).epsilon(0.1));
  Volume masked = test::noisy_ball(0.2f);
  for (std::int64_t i = 0; i < masked.values.size() * 3 / 4; ++i) masked.values[i] = 0;
  CHECK(noise_in(masked) == Approx(0.2).epsilon(0.15));
  CHECK(noise_in(Volume(VolumeGrid{{2, 9, 9}, Vec3(1)})) == 0);
  CHECK(noise_in(Volume(VolumeGrid{{9, 9, 9}, Vec3(1)})) == 0);
}

TEST_CASE("Denoising takes most of the noise and keeps the edge of a ball") {
  const auto backend = make_backend("cpu");
  const Volume truth = test::noisy_ball(0), noisy = test::noisy_ball(0.2f);
  const auto error = [&](const Volume& v) {
    double sum = 0;
    for (std::int64_t i = 0; i < v.values.size(); ++i)
      sum += std::pow(static_cast<double>(v.values[i] - truth.values[i]), 2);
    return std::sqrt(sum / static_cast<double>(v.values.size()));
  };
  const Volume clean = denoised(*backend, noisy, 0.2);
  CHECK(error(clean) < 0.35 * error(noisy));
  CHECK(clean.at(15, 12, 11) == Approx(1).margin(0.15));  // in the middle, and 2 voxels to both sides of the edge
  CHECK(clean.at(21, 12, 11) == Approx(1).margin(0.25));
  CHECK(clean.at(25, 12, 11) == Approx(0).margin(0.25));
  const Volume same = denoised(*backend, noisy, 0);
  CHECK(error(same) == Approx(error(noisy)));
}

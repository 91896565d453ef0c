// Time of flight along lines of response, and what all line operators must obey.
#include <catch2/catch.hpp>

#include <numeric>

#include <backlit/data/volume.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "support/projectors/lines.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

constexpr double mm_per_ps = 0.149896229;

/// Values in a ball of 45 mm on 19^3 voxels.
Volume ball() {
  Volume volume(VolumeGrid{{19, 19, 19}, Vec3(5), Vec3(0)});
  for (std::int64_t k = 0; k < 19; ++k)
    for (std::int64_t j = 0; j < 19; ++j)
      for (std::int64_t i = 0; i < 19; ++i)
        if (glm::length(volume.grid.voxel_center(double(i), double(j), double(k))) < 45)
          volume.at(i, j, k) = 0.02f + 0.001f * static_cast<float>((7 * i + 3 * j + 5 * k) % 11);
  return volume;
}

/// Sum over all bins of what lines see, and its largest difference from what they see without time of flight.
double bins_difference(LineOptions options) {
  const Volume image = ball();
  Lines lines = random_lines(200, 150, 3);
  CpuBackend backend(BackendOptions{});
  const auto whole = project(backend, image.grid, lines, options, image.values.span());
  options.tof = {.sigma_mm = 13, .cut_sigmas = 4, .bin_mm = 12, .integrated = options.tof.integrated};
  std::vector<double> sum(whole.size());
  for (int bin = -14; bin <= 14; ++bin) {
    lines.tof_mm.assign(whole.size(), static_cast<float>(12 * bin));
    const auto part = project(backend, image.grid, lines, options, image.values.span());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
  double worst = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) worst = std::max(worst, std::abs(sum[i] - whole[i]));
  CHECK(*std::ranges::max_element(whole) > 1);
  return worst;
}

}  // namespace

TEST_CASE("The bins of one voxel are error functions") {
  const TofKernel tof{.sigma_mm = 2, .cut_sigmas = 8, .bin_mm = 0.8};
  const double expected[] = {0.348743, 0.322272, 0.254315, 0.171377, 0.098618, 0.048459, 0.020333};
  double sum = 0;
  for (int bin = -13; bin <= 13; ++bin) sum += 2.2 * tof_weight(tof, 0.8 * bin);
  for (int bin = 0; bin < 7; ++bin) CHECK(2.2 * tof_weight(tof, 0.8 * bin) == Approx(expected[bin]).margin(6e-7));
  CHECK(sum == Approx(2.2).epsilon(1e-6));
  // Lines and tubes through one slice of 2.2 mm see it so.
  const VolumeGrid grid{{7, 15, 13}, Vec3(2.2, 3, 4), Vec3(0)};
  std::vector<float> slice(static_cast<std::size_t>(grid.voxels()));
  for (std::size_t i = 3; i < slice.size(); i += 7) slice[i] = 1;
  for (LineOptions options : {thin_lines(), tubes(gaussian_tube(9, 16))}) {
    options.tof = tof;
    Lines lines;
    for (int bin = 0; bin < 7; ++bin) {
      lines.add({-200, 0, 0}, {200, 0, 0});
      lines.tof_mm.push_back(static_cast<float>(0.8 * bin));
    }
    CpuBackend backend(BackendOptions{});
    const auto bins = project(backend, grid, lines, options, slice);
    for (std::size_t bin = 0; bin < 7; ++bin) CHECK(bins[bin] == Approx(expected[bin]).epsilon(1e-4));
  }
  // Cut at 3 sigmas it is scaled up such that bins still add up.
  const TofKernel cut{.sigma_mm = 2, .cut_sigmas = 3, .bin_mm = 0.8};
  sum = 0;
  for (int bin = -13; bin <= 13; ++bin) sum += tof_weight(cut, 0.8 * bin);
  CHECK(sum == Approx(1).epsilon(1e-12));
  CHECK(tof_weight(cut, cut.reach() + 1e-9) == 0);
  CHECK(tof_weight(cut, 0) / tof_weight(tof, 0) == Approx(1 / 0.9973002).epsilon(1e-6));
}

TEST_CASE("A time difference below zero puts the annihilation nearer the first detector") {
  // Published numbers for one event: 95 ps, dt = -408 ps, the share of the piece from 0.24 to 0.25 of the line.
  const Vec3 p(-155, 118.75, 367.5), q(155, 163.75, 373.5);
  const double length = glm::length(q - p), sigma = 95 / 2.354820045 * mm_per_ps;
  CHECK(sigma == Approx(6.04723).epsilon(1e-5));
  const TofKernel density{.sigma_mm = sigma, .cut_sigmas = 10};
  const double at = 0.5 * length + mm_per_ps * -408;  // from p
  CHECK(tof_weight(density, 0.245 * length - at) == Approx(0.000543244).epsilon(2e-3));
  CHECK(tof_weight(density, 0.755 * length - at) < 1e-30);
  // The operator puts it there too: most of the weight lies on the first detector's side.
  const VolumeGrid grid{{61, 11, 5}, Vec3(5), Vec3(0, 141, 370)};
  Lines lines;
  lines.add(p, q);
  lines.tof_mm = {static_cast<float>(mm_per_ps * -408)};
  for (LineOptions options : {thin_lines(), tubes(gaussian_tube(8, 8))}) {
    options.tof = {.sigma_mm = sigma};
    CpuBackend backend(BackendOptions{});
    const auto image = backproject(backend, *backend.make_listmode(grid, lines.list(), options), std::vector<float>{1});
    double sum = 0, moment = 0;
    for (std::size_t i = 0; i < image.size(); ++i) {
      sum += image[i];
      moment += image[i] * grid.voxel_center(double(i % 61), 0, 0).x;
    }
    CHECK(sum == Approx(1).epsilon(0.01));  // a density along the line
    CHECK(moment / sum == Approx(p.x + at / length * (q.x - p.x)).margin(0.3));
  }
}

TEST_CASE("Bins add up to what lines see without time of flight") {
  for (const bool integrated : {true, false})
    for (LineOptions options : {thin_lines(), tubes(gaussian_tube(9, 9))}) {
      options.tof.integrated = integrated;
      CHECK(bins_difference(options) < 2e-3);
    }
}

TEST_CASE("Line operators are their transposes' transposes") {
  const VolumeGrid grid{{17, 12, 9}, Vec3(3, 4, 5), Vec3(2, -3, 1)};
  const std::vector<TubeKernel> kernels{gaussian_tube(9, 7), box_tube(5), bessel_tube(11)};
  for (const bool tof : {false, true})
    for (LineOptions options : {thin_lines(), tubes(gaussian_tube(8, 8)), LineOptions{.kernels = kernels}}) {
      Lines lines = random_lines(2500, 90, 11);
      if (tof) add_tof(lines, 60);
      options.tof = {.sigma_mm = 15, .bin_mm = 5};
      if (options.kernels.size() > 1)
        for (std::size_t i = 0; i < lines.first.size(); ++i) lines.kernel.push_back(static_cast<std::uint8_t>(i % 3));
      CpuBackend backend(BackendOptions{});
      const auto a = backend.make_listmode(grid, lines.list(), options);
      const auto x = random_values(grid.voxels(), 5, -1), y = random_values(2500, 6, -1);
      const auto ax = project(backend, *a, x), aty = backproject(backend, *a, y);
      const double one = std::inner_product(ax.begin(), ax.end(), y.begin(), 0.0);
      const double other = std::inner_product(x.begin(), x.end(), aty.begin(), 0.0);
      CHECK(one == Approx(other).margin(3e-4));
      CHECK(std::abs(one) > 0.1);
      // A subset is those rows of the whole.
      const ArrayPtr image = a->make_domain(), part = a->make_range(500);
      backend.upload(x, *image);
      a->forward(*image, *part, {3, 500, 4}, Write::overwrite);
      std::vector<float> values(500);
      backend.download(*part, values);
      for (std::size_t i = 0; i < 500; i += 99) CHECK(values[i] == Approx(ax[3 + 4 * i]));
      // Back from ones is the sensitivity.
      a->sensitivity(*image, {3, 500, 4});
      std::vector<float> sensitivity(x.size()), ones_back(x.size());
      backend.download(*image, sensitivity);
      backend.fill(*part, 1);
      a->back(*part, *image, {3, 500, 4}, Write::overwrite);
      backend.download(*image, ones_back);
      CHECK(sensitivity == ones_back);
    }
}

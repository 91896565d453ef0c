#include <backlit/recon/denoise.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/device/neighbour_penalty.hpp>
#include "recon/total_variation.hpp"

namespace backlit {
namespace {

constexpr std::int64_t steps = 30, most_samples = std::int64_t{1} << 19;
constexpr float over_bound = 1.9f;                  // of the step; below 2 it converges
constexpr double normal_median = 0.6745, norm = 6;  // of |x|; of the mask of second differences

}  // namespace

double noise_in(const Volume& v) {
  const Size3 n = v.grid.size;
  if (n[0] < 3 || n[1] < 3) return 0;
  const std::int64_t all = n[2] * (n[1] - 2) * (n[0] - 2);
  const std::int64_t apart = std::max<std::int64_t>(1, all / most_samples) | 1;
  std::vector<float> found;
  for (std::int64_t at = 0; at < all; at += apart) {
    const std::int64_t i = at % (n[0] - 2), j = at / (n[0] - 2) % (n[1] - 2), k = at / ((n[0] - 2) * (n[1] - 2));
    float sum = 0;
    for (std::int64_t b = 0; b < 3; ++b)
      for (std::int64_t a = 0; a < 3; ++a)
        sum +=
            static_cast<float>((a == 1 ? -2 : 1) * (b == 1 ? -2 : 1)) * v.values[((k * n[1]) + j + b) * n[0] + i + a];
    if (sum != 0 && std::isfinite(sum)) found.push_back(std::abs(sum));
  }
  if (found.empty()) return 0;
  const auto middle = found.begin() + std::ssize(found) / 2;
  std::ranges::nth_element(found, middle);
  return static_cast<double>(*middle) / normal_median / norm;
}

Volume denoised(Backend& backend, const Volume& volume, double radius, const Watch& watch) {
  NeighbourOperations& neighbours = neighbours_of(backend);
  const Differences differences = make_differences(volume.grid.spacing);
  const ArrayPtr v = backend.make_array(shape_of(volume.grid)), x = backend.make_like(*v);
  const ArrayPtr z[3] = {backend.make_like(*v), backend.make_like(*v), backend.make_like(*v)};
  const Field field{z[0].get(), z[1].get(), z[2].get()};
  backend.upload(volume.values.span(), *v);
  constexpr float any = std::numeric_limits<float>::max();
  const auto primal = [&] { neighbours.descend(differences, field, {*v, *x, -any, any}); };
  watch.begin("denoise", steps, "steps");
  for (std::int64_t n = 0; n < steps; ++n) {
    primal();
    neighbours.ascend(differences, *x, over_bound / differences.square_norm(), static_cast<float>(radius), field);
    watch.advance(1);
  }
  primal();
  Volume made(volume.grid);
  backend.download(*x, made.values.span());
  watch.end();
  return made;
}

}  // namespace backlit

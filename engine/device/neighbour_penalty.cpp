#include <backlit/device/neighbour_penalty.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>

namespace backlit {

NeighbourPenalty make_neighbour_penalty(NeighbourPenalty::Kind kind, double p, double q, double c,
                                        const Vec3& spacing) {
  if (!(1 <= q && q <= p && p <= 2))
    throw InputError("penalty", fmt::format("q-GGMRF with p = {} and q = {}", p, q), "choose 1 <= q <= p <= 2");
  if (!(c > 0) || !std::isfinite(c))
    throw InputError("penalty", fmt::format("edges begin at a difference of {}", c), "give a positive difference");
  NeighbourPenalty result;
  result.kind = kind;
  result.p = static_cast<float>(p);
  result.q = static_cast<float>(q);
  result.c = static_cast<float>(c);
  double share[8] = {}, sum = 0;
  for (int n = 1; n < 8; ++n) {
    const Vec3 step(n & 1, (n >> 1) & 1, n >> 2);
    const double neighbours = std::exp2(step.x + step.y + step.z);
    share[n] = 1 / glm::length(step * spacing);
    sum += neighbours * share[n];
  }
  for (int n = 1; n < 8; ++n) result.share[n] = static_cast<float>(share[n] / sum);
  const double least = std::min({spacing.x, spacing.y, spacing.z});
  for (int n = 0; n < 3; ++n) result.square[n] = static_cast<float>(least * least / (spacing[n] * spacing[n]));
  return result;
}

Differences make_differences(const Vec3& spacing) {
  const double least = std::min({spacing.x, spacing.y, spacing.z});
  Differences result;
  for (int n = 0; n < 3; ++n) result.weight[n] = static_cast<float>(least / spacing[n]);
  return result;
}

}  // namespace backlit

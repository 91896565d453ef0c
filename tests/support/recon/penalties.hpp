// Penalties on neighbours by a backend compared with the CPU, and reconstructions with them.
#pragma once

#include <random>

#include <backlit/device/neighbour_penalty.hpp>
#include "support/recon/follow_reference.hpp"
#include "support/recon/recon_options.hpp"

namespace backlit::test {

inline std::vector<float> normal_noise(std::int64_t n, unsigned seed, float size = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, size);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& v : values) v = normal(random);
  return values;
}

/// L(x) d.
inline std::vector<float> stiffness(Backend& backend, const NeighbourPenalty& penalty, const ArrayShape& shape,
                                    const std::vector<float>& x, const std::vector<float>& d) {
  const ArrayPtr a = backend.make_array(shape), b = backend.make_array(shape), y = backend.make_array(shape);
  backend.upload(x, *a);
  backend.upload(d, *b);
  dynamic_cast<NeighbourOperations&>(backend.innermost()).stiffness(penalty, *a, *b, *y);
  std::vector<float> result(x.size());
  backend.download(*y, result);
  return result;
}

/// Gradients (d = x) and products of surrogates for odd sizes, including volumes of one slice and of one voxel's
/// thickness. Differences are far below and far above the edge.
inline void check_penalties(Backend& backend, double tolerance) {
  using Kind = NeighbourPenalty::Kind;
  const auto cpu = make_backend("cpu");
  for (const ArrayShape& shape : {ArrayShape{37, 21, 13}, ArrayShape{65, 9, 1}, ArrayShape{1, 7, 5}})
    for (const Kind kind : {Kind::qggmrf, Kind::tv})
      for (const auto& [p, q] : {std::pair{2.0, 1.2}, {1.7, 1.1}, {2.0, 2.0}})
        for (const double edge : {0.01, 0.8, 50.0}) {
          INFO(shape.n0 << " x " << shape.n1 << " x " << shape.n2 << (kind == Kind::tv ? ", tv, " : ", qggmrf, ") << p
                        << " " << q << ", edge " << edge);
          const NeighbourPenalty penalty = make_neighbour_penalty(kind, p, q, edge, Vec3(1, 1.3, 0.6));
          const auto n = shape.n0 * shape.n1 * shape.n2;
          const auto x = normal_noise(n, 1), d = normal_noise(n, 2);
          CHECK(relative_l2(stiffness(backend, penalty, shape, x, x), stiffness(*cpu, penalty, shape, x, x)) <
                tolerance);
          CHECK(relative_l2(stiffness(backend, penalty, shape, x, d), stiffness(*cpu, penalty, shape, x, d)) <
                tolerance);
        }
}

/// Reconstructs by conjugate gradients, and by surrogates with five subsets and all their options.
inline void check_penalised_reconstruction(Backend& backend, double tolerance) {
  const auto cpu = make_backend("cpu");
  ReconOptions options;
  options.method = "pwls";
  options.precision = "exact";
  options.strength = 0.02;
  options.penalty_edge = 0.05;
  options.iterations = 4;
  for (const std::int64_t subsets : {1, 5}) {
    options.subsets = subsets;
    options.nonnegative = subsets > 1;
    options.weights = subsets > 1 ? "transmission" : "none";
    options.penalty = "none";
    const auto without = reconstruct_head(*cpu, options);
    for (const char* penalty : {"qggmrf", "tv"}) {
      INFO(penalty << ", " << subsets << " subsets");
      options.penalty = penalty;
      const auto expected = reconstruct_head(*cpu, options), result = reconstruct_head(backend, options);
      CHECK(relative_l2(result.volume, expected.volume) < tolerance);
      CHECK(relative_l2(expected.volume, without.volume) > 100 * tolerance);
    }
  }
}

}  // namespace backlit::test

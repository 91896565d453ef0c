// Penalties of a volume in parts, compared with the whole volume.
#pragma once

#include <catch2/catch.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/geometry/trajectory.hpp>
#include "support/projectors/lines.hpp"
#include "support/recon/follow_reference.hpp"
#include "support/recon/recon_options.hpp"
#include "support/recon/total_variation.hpp"
#include "support/relative_l2.hpp"

namespace backlit::test {

/// L(x) d and L(x) x for noise.
inline std::vector<float> stiffness_of_noise(Backend& backend, LinearOperator& ct, NeighbourPenalty::Kind kind,
                                             const VolumeGrid& grid) {
  const auto y = ct.make_domain(), x = ct.make_domain(), d = ct.make_domain();  // y is the larger array
  backend.upload(random_values(x->count(), 5), *x);
  backend.upload(random_values(d->count(), 6), *d);
  const NeighbourPenalty penalty = make_neighbour_penalty(kind, 2, 1.2, 0.3, grid.spacing);
  std::vector<float> values(static_cast<std::size_t>(2 * y->count()));
  const auto [along, itself] =
      std::pair{std::span(values).first(values.size() / 2), std::span(values).last(values.size() / 2)};
  backend.neighbours()->stiffness(penalty, *x, *d, *y);
  backend.download(*y, along);
  backend.neighbours()->stiffness(penalty, *x, *x, *y);
  backend.download(*y, itself);
  return values;
}

/// `make(budget)` makes a backend (a budget of 0: no limit). Compares parts with the whole: rows of the penalties'
/// matrices bit for bit, steps of total variation to 1e-6, and penalised methods to `tolerance`.
template <class Make>
void check_large_penalties(Make&& make, double tolerance) {
  const Detector detector{31, 19, 9, 9};
  const Scan scan{detector, circular_views(detector, equal_angles(12, 3), 600, 900)};
  const VolumeGrid grid{{13, 15, 23}, {14, 12, 8}, {0, 0, 0}};
  constexpr std::int64_t budget = 60 << 10;  // volumes take 18 KiB
  const auto whole = make(0), parts = make(budget);
  const CtOptions of_arrays{.model = Model::joseph, .precision = Precision::exact};
  whole->activate();
  for (const auto kind : {NeighbourPenalty::Kind::tv, NeighbourPenalty::Kind::qggmrf}) {
    const auto expected = stiffness_of_noise(*whole, *whole->make_ct(grid, scan, of_arrays), kind, grid);
    const auto cut = parts->make_ct(grid, scan, of_arrays);
    CHECK_THAT(cut->variant(), Catch::Matchers::Contains("slabs="));
    CHECK((stiffness_of_noise(*parts, *cut, kind, grid) == expected));
  }
  for (const bool weighted : {false, true}) {
    const auto on = [&](Backend& backend) {
      const auto ct = backend.make_ct(grid, scan, of_arrays);
      return steps_of_variation(
          backend, [&] { return ct->make_domain(); }, grid.spacing, weighted);
    };
    CHECK(relative_l2(on(*parts), on(*whole)) < 1e-6);  // cpu: parts are transferred as floats, the whole holds doubles
  }
  ReconOptions options;
  options.method = "pwls";
  options.penalty = "qggmrf";
  options.penalty_edge = 0.05;
  options.strength = 0.01;
  options.precision = "exact";
  options.subsets = 4;
  options.iterations = 2;
  const ReconResult a = reconstruct_head(*whole, scan, grid, options),
                    b = reconstruct_head(*parts, scan, grid, options);
  CHECK_THAT(b.variant, Catch::Matchers::Contains("slabs="));
  CHECK(relative_l2(b.volume, a.volume) < tolerance);
  for (const char* method : {"tv", "pdhg", "asdpocs"}) {
    INFO(method);
    ReconOptions variation;
    variation.method = method;
    variation.precision = "exact";
    variation.iterations = 2;
    CHECK(relative_l2(reconstruct_head(*parts, scan, grid, variation).volume,
                      reconstruct_head(*whole, scan, grid, variation).volume) < tolerance);
  }
}

}  // namespace backlit::test

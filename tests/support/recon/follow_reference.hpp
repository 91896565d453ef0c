// Compares an iterative method on a backend with the same method on the CPU.
#pragma once

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/recon/recon_options.hpp"
#include "support/relative_l2.hpp"

namespace backlit::test {

struct ReconResult {
  std::vector<float> volume;
  std::vector<double> residuals;
  std::string variant;
};

/// A reconstruction of the Shepp-Logan head.
inline std::unique_ptr<Reconstruction> head_reconstruction(Backend& backend, const Scan& scan, const VolumeGrid& grid,
                                                           const ReconOptions& options) {
  backend.activate();
  Projections views(scan);
  project_phantom(load_phantom("shepp-logan-3d"), scan, 0, scan.view_count(), 1, views.values.span());
  return make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), grid, options);
}

inline ReconResult reconstruct_head(Backend& backend, const Scan& scan, const VolumeGrid& grid,
                                    const ReconOptions& options) {
  const auto recon = head_reconstruction(backend, scan, grid, options);
  while (recon->step() != Reconstruction::Status::finished) continue;
  const Volume volume = recon->download();
  return {{volume.values.begin(), volume.values.end()},
          {recon->residuals().begin(), recon->residuals().end()},
          recon->variant()};
}

/// A small cone scan of the head.
inline Scan head_scan() {
  const Detector d{39, 27, 7, 7};
  return {d, circular_views(d, equal_angles(20, 5), 600, 900)};
}
inline VolumeGrid head_grid() { return {{25, 23, 15}, {8, 8, 8}, {0, 0, 0}}; }

inline ReconResult reconstruct_head(Backend& backend, const ReconOptions& options) {
  return reconstruct_head(backend, head_scan(), head_grid(), options);
}

/// Reconstructs with four iterations.
inline ReconResult reconstruct_head(Backend& backend, const std::string& method, const std::string& precision,
                                    const std::string& back_model = "matched", const std::string& penalty = "none") {
  ReconOptions options;
  options.method = method;
  options.precision = precision;
  options.back_model = back_model;
  options.penalty = penalty;
  if (penalty != "none") options.strength = 0.02;
  if (penalty != "none") options.penalty_edge = 0.05;
  if (Method(method).has("iterations")) options.iterations = 4;
  options.subsets = method == "ossart" || method == "osem" ? 5 : 1;
  return reconstruct_head(backend, options);
}

/// Reconstructs with three iterations of a distance-driven model.
inline std::vector<float> distance_driven_head(Backend& backend, const std::string& method, const char* model,
                                               const char* precision = "exact", const char* variant = "") {
  ReconOptions options;
  options.method = method;
  options.iterations = 3;
  options.subsets = method == "ossart" ? 5 : 1;
  options.precision = precision;
  options.model = model;
  options.variant = variant;
  return reconstruct_head(backend, options).volume;
}

/// Checks that volumes agree to `tolerance` (relative L2) and residuals to ten times that. If requested, also that two
/// runs agree bit for bit. (Work is split by measured time, so only a backend whose sums do not depend on the split
/// repeats exactly.)
inline void check_follows_reference(Backend& backend, const std::string& method, const std::string& precision,
                                    double tolerance, bool repeats) {
  INFO(method << ", " << precision);
  const auto expected = reconstruct_head(*make_backend("cpu"), method, "exact");
  const auto result = reconstruct_head(backend, method, precision);
  CHECK(relative_l2(result.volume, expected.volume) < tolerance);
  REQUIRE(result.residuals.size() == expected.residuals.size());
  for (std::size_t i = 0; i < result.residuals.size(); ++i)
    CHECK(result.residuals[i] == Approx(expected.residuals[i]).epsilon(10 * tolerance));
  if (repeats) CHECK((result.volume == reconstruct_head(backend, method, precision).volume));
}

}  // namespace backlit::test

// Convergence of iterations on consistent data, for every backend.
#pragma once

#include <algorithm>

#include <backlit/projectors/linear_operator.hpp>
#include "support/recon/recon_options.hpp"
#include "support/recon/small_problem.hpp"

namespace backlit::test {

/// At least single precision, so that the checks do not depend on a sampler's weights.
inline ReconOptions exactly(ReconOptions o) {
  o.precision = "exact";
  return o;
}

inline bool falls(const std::vector<double>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!(values[i] < values[i - 1])) return false;
  return true;
}

/// Residuals of SIRT, with and without negative values, and of CGLS fall.
inline void check_residuals_fall(Backend& backend) {
  for (const bool nonnegative : {false, true}) {
    const Run sirt =
        run(exactly({.method = "sirt", .iterations = 30, .nonnegative = nonnegative}), backend, small_scan());
    REQUIRE(sirt.residuals.size() == 30);
    CHECK(sirt.residuals.front() == Approx(1));
    CHECK(falls(sirt.residuals));
    CHECK(sirt.residuals.back() < 0.03);
    CHECK(relative_error(sirt.volume) < 0.2);
    for (float v : sirt.volume.values) REQUIRE((v >= 0 || !nonnegative));
  }
  const Run cgls = run(exactly({.method = "cgls", .iterations = 30}), backend, small_scan());
  CHECK(falls(cgls.residuals));
  CHECK(cgls.residuals.back() < 1e-3);
  CHECK(relative_error(cgls.volume) < 0.1);
}

/// MLEM's volume reproduces the sum of the data from the first iteration on.
inline void check_counts_are_kept(Backend& backend) {
  const Scan scan = small_scan();
  const Projections data = consistent_data(backend, scan);
  double measured = 0;
  for (float v : data.values) measured += v;
  auto a = backend.make_ct(grid, scan, {.model = Model::joseph});
  auto x = a->make_domain(), y = a->make_range(scan.view_count());
  for (std::int64_t iterations : {1, 4}) {
    const Run mlem = run(exactly({.method = "mlem", .iterations = iterations}), backend, scan);
    backend.upload(mlem.volume.values.span(), *x);
    a->forward(*x, *y, a->all(), Write::overwrite);
    CHECK(backend.sum(*y) == Approx(measured).epsilon(1e-5));
    for (float v : mlem.volume.values) REQUIRE(v >= 0);
  }
}

/// For the noiseless Shepp-Logan head, OS-SART's r.m.s. error is at most nine tenths of FDK's.
inline void check_subsets_beat_fdk(Backend& backend) {
  const Detector d{40, 36, 10, 10};
  Projections views({d, circular_views(d, equal_angles(48), 600, 900)});
  const Phantom head = load_phantom("shepp-logan-3d");
  project_phantom(head, views.scan, 0, 48, 3, views.values.span());
  const VolumeGrid cube{{33, 33, 31}, Vec3(6.5), Vec3(0)};
  const Volume truth = voxelize(head, cube, 4);
  const auto source = std::make_shared<MemorySource>(std::move(views));
  const auto rmse = [&](const ReconOptions& options) {
    auto recon = make_reconstruction(backend, source, cube, options);
    while (recon->step() != Reconstruction::Status::finished) continue;
    const Volume v = recon->download();
    double square = 0;
    for (std::int64_t i = 0; i < v.values.size(); ++i)
      square += std::pow(static_cast<double>(v.values[i]) - static_cast<double>(truth.values[i]), 2);
    return std::sqrt(square / static_cast<double>(v.values.size()));
  };
  const ReconOptions subsets{.method = "ossart", .iterations = 8, .subsets = 8, .nonnegative = true};
  CHECK(rmse(exactly(subsets)) < 0.9 * rmse(exactly({})));
}

/// Sums of weights are 0 for voxels that no ray meets, which stay 0, and for rays that meet no voxel.
inline void check_zero_weights(Backend& backend) {
  Scan scan = small_scan();
  scan.detector.columns = 57;  // the outer columns see past the volume
  scan.detector.rows = 5;      // no ray meets the outer slices
  const auto a = backend.make_ct(grid, scan, {Model::joseph, Precision::exact});
  const auto sums = a->make_domain(), weights = a->make_range(scan.view_count());
  a->sensitivity(*sums, a->all());
  const auto ones = a->make_domain();
  backend.fill(*ones, 1);
  a->forward(*ones, *weights, a->all(), Write::overwrite);
  std::vector<float> seen(static_cast<std::size_t>(sums->count())), met(static_cast<std::size_t>(weights->count()));
  backend.download(*sums, seen);
  backend.download(*weights, met);
  REQUIRE(std::ranges::count(seen, 0.0f) > std::ssize(seen) / 5);
  REQUIRE(std::ranges::count(met, 0.0f) > std::ssize(met) / 5);
  for (const std::string method :
       {"sirt", "sart", "ossart", "cgls", "pcg", "fista", "tv", "pdhg", "asdpocs", "mlem", "osem"}) {
    INFO(method);
    const bool fills = method == "tv" || method == "pdhg" || method == "asdpocs";  // from neighbours
    ReconOptions options = exactly({.method = method, .iterations = 3});
    if (method == "ossart" || method == "osem") options.subsets = 4;
    const Run r = run(options, backend, scan);
    CHECK(r.residuals.back() < r.residuals.front());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const float value = r.volume.values[static_cast<std::int64_t>(i)];
      REQUIRE(std::isfinite(value));
      if (seen[i] == 0 && !fills) REQUIRE(value == 0);
    }
  }
}

}  // namespace backlit::test

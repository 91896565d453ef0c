// A small consistent problem for iterative methods: line integrals of a known volume by the backend's own projector.
#pragma once

#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "support/recon/recon_options.hpp"

namespace backlit::test {

inline const VolumeGrid grid{{19, 21, 9}, Vec3(2), Vec3(0)};

inline Scan small_scan(std::int64_t views = 24) {
  Detector d;
  d.columns = 35;
  d.rows = 17;
  d.pixel_u = d.pixel_v = 3;
  return {d, circular_views(d, equal_angles(views), 120, 180)};
}

/// Two positive bodies; values of about 1/mm.
inline Volume truth() {
  Phantom p;
  p.bodies.resize(2);
  p.bodies[0].half = Vec3(15, 17, 7);
  p.bodies[0].value = 1;
  p.bodies[1].center = Vec3(4, -5, 1);
  p.bodies[1].half = Vec3(5, 4, 4);
  p.bodies[1].value = 0.7;
  return voxelize(p, grid);
}

/// Projections of the true volume by the given backend.
inline Projections consistent_data(Backend& backend, const Scan& scan) {
  auto a = backend.make_ct(grid, scan, {.model = Model::joseph});
  auto x = a->make_domain(), y = a->make_range(scan.view_count());
  backend.upload(truth().values.span(), *x);
  a->forward(*x, *y, a->all(), Write::overwrite);
  Projections p(scan);
  backend.download(*y, p.values.span());
  return p;
}

struct Run {
  Volume volume;
  std::vector<double> residuals;
};

inline Run run(const ReconOptions& options, Backend& backend, const Scan& scan) {
  auto source = std::make_shared<MemorySource>(consistent_data(backend, scan));
  auto recon = make_reconstruction(backend, source, grid, options);
  while (recon->step() != Reconstruction::Status::finished) continue;
  const auto r = recon->residuals();
  CHECK(recon->progress().done == recon->progress().total);
  return {recon->download(), {r.begin(), r.end()}};
}

inline double relative_error(const Volume& v) {
  const Volume t = truth();
  double square = 0, norm = 0;
  for (std::int64_t i = 0; i < v.values.size(); ++i) {
    square += std::pow(v.values[i] - t.values[i], 2);
    norm += std::pow(t.values[i], 2);
  }
  return std::sqrt(square / norm);
}

}  // namespace backlit::test

// Runs SART in place on any backend, for comparisons.
#pragma once

#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>

namespace backlit::test {

/// Analytic views of an ellipsoid with a smaller one inside, both within the grid.
inline Projections ellipsoid_views(const VolumeGrid& grid, const Scan& scan) {
  const Vec3 extent = grid.spacing * Vec3(grid.size[0], grid.size[1], grid.size[2]);
  Phantom p;
  p.bodies.resize(2);
  p.bodies[0].center = p.bodies[1].center = grid.center;
  p.bodies[0].half = 0.4 * extent;
  p.bodies[1].half = 0.2 * extent;
  p.bodies[0].value = 0.02;
  p.bodies[1].value = 0.01;
  Projections views(scan);
  project_phantom(p, scan, 0, scan.view_count(), 1, views.values.span());
  return views;
}

struct ViewSartRun {
  std::vector<float> volume;
  std::vector<double> residuals;  ///< sum of squares for each iteration
};

/// Corrects by all views in their order, `iterations` times.
inline ViewSartRun run_view_sart(Backend& backend, const VolumeGrid& grid, const Projections& views,
                                 const std::string& variant, int iterations, float relaxation, bool nonnegative) {
  const auto sart = backend.make_view_sart(grid, views.scan, {.variant = variant});
  const std::int64_t count = views.scan.view_count();
  for (std::int64_t v = 0; v < count; ++v) sart->set_view(v, views.view(v));
  ViewSartRun run;
  for (int n = 0; n < iterations; ++n) {
    for (std::int64_t v = 0; v < count; ++v) sart->correct(v, relaxation, nonnegative);
    run.residuals.push_back(sart->take_residual());
  }
  run.volume.resize(static_cast<std::size_t>(grid.voxels()));
  sart->download(run.volume);
  return run;
}

}  // namespace backlit::test

// Backprojections on OpenGL and by the double-precision reference, for comparison.
#pragma once

#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"

namespace backlit::gl {

inline CtOptions options(Precision precision, Weighting weighting, const std::string& variant = "") {
  return {Model::voxel_driven, precision, Packing::automatic, weighting, variant};
}

/// The double-precision reference for the views of `subset`; `projections` holds all views of the scan.
inline std::vector<float> expected(const Case& c, const std::vector<float>& projections, Weighting weighting,
                                   const Subset& subset) {
  const auto cpu = make_backend("cpu");
  const auto ct = cpu->make_ct(c.grid, c.scan, options(Precision::exact, weighting));
  const auto y = ct->make_range(c.scan.view_count()), x = ct->make_domain();
  cpu->upload(projections, *y);
  ct->back(*y, *x, subset, Write::overwrite);
  std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
  cpu->download(*x, volume);
  return volume;
}

inline std::vector<float> random_projections(const Scan& scan) {
  return random_values(scan.view_count() * scan.detector.pixels(), 11, 0.5f, 1);
}

inline std::vector<float> backproject(Backend& backend, const Case& c, const std::vector<float>& projections,
                                      const CtOptions& options) {
  const auto ct = backend.make_ct(c.grid, c.scan, options);
  const auto y = ct->make_range(c.scan.view_count());
  const auto x = ct->make_domain();
  backend.upload(projections, *y);
  ct->back(*y, *x, ct->all(), Write::overwrite);
  std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
  backend.download(*x, volume);
  return volume;
}

}  // namespace backlit::gl

#include "model/actions/geometry_edit.hpp"

#include <backlit/calibration/geometry_correction.hpp>

namespace backlit::viewer {
namespace {

GeometryCorrection correction_of(const GeometryState& g) {
  return {g.detector_distance, g.center_shift, g.offset_v, g.tilt_u, g.tilt_v, g.tilt_n, g.reversed, g.axis_distance};
}

}  // namespace

Scan placed(const Scan& scan, const GeometryState& g) {
  GeometryCorrection correction = correction_of(g);
  correction.column_offset = 0;
  return corrected(scan, correction);
}

Scan adjusted(const Scan& scan, const GeometryState& g) { return corrected(scan, correction_of(g)); }

SessionOptions session_options(const ReconState& recon, const GeometryState& geometry, const GridState& grid,
                               double center_px) {
  SessionOptions options;
  options.preparation.corrections = recon.corrections;
  if (geometry.center_shift != 0) options.preparation.center = center_px + geometry.center_shift;
  options.grid.size = grid.size;
  options.grid.voxel = Vec3(grid.voxel);
  options.device.backend = recon.backend;
  return options;
}

}  // namespace backlit::viewer

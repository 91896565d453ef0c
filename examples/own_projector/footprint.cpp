#include "footprint.hpp"

#include <backlit/core/error.hpp>

using namespace backlit;

Footprint::Footprint(const VolumeGrid& grid, const Detector& detector, const View& view) {
  const Vec3 from_middle = grid.first_voxel() - view.center;
  const Vec3 u = view.u / dot(view.u, view.u), v = view.v / dot(view.v, view.v);  // per pixel
  u0 = detector.middle_column() + dot(from_middle, u);
  v0 = detector.middle_row() + dot(from_middle, v);
  for (int a = 0; a < 2; ++a) du[a] = u[a] * grid.spacing[a];
  dv = v.z * grid.spacing.z;
}

FootprintOperator::FootprintOperator(Backend& backend, const VolumeGrid& grid, const Scan& scan)
    : backend_(backend), grid_(grid), scan_(scan) {
  for (const View& view : scan.views) {
    if (view.beam != Beam::parallel) throw Unsupported("footprint", "the beam is not parallel", "use --model joseph");
    if (view.u.z != 0 || view.v.x != 0 || view.v.y != 0)
      throw Unsupported("footprint", "the detector does not stand upright", "use --model joseph");
    views_.emplace_back(grid, scan.detector, view);
  }
  length_ = grid.spacing.x * grid.spacing.y * grid.spacing.z / (scan.detector.pixel_u * scan.detector.pixel_v);
}

void FootprintOperator::sensitivity(DeviceArray& x, const Subset& rows) {
  const ArrayPtr ones = make_range(rows.count);
  backend_.fill(*ones, 1);
  back(*ones, x, rows, Write::overwrite);
}

Model footprint() {
  static constexpr Model::Facts facts{"footprint", "each voxel casts a pyramid on the detector", "an example", nullptr};
  static const Model model = Model::add(facts);
  return model;
}

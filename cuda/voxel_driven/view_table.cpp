#include "cuda/voxel_driven/view_table.hpp"

#include "geometry/make_view_map.hpp"

namespace backlit::cuda {
namespace {

/// Columns and rows counted from the detector's middle pixel.
ViewMap<double> from_middle(ViewMap<double> m, const Detector& d) {
  const auto column = static_cast<double>(d.columns / 2), row = static_cast<double>(d.rows / 2);
  if (m.kind != DetectorKind::flat) {
    m.column0 -= column;
    m.row0 -= row;
    return m;
  }
  for (int i = 0; i < 4; ++i) {
    m.a[i] -= column * m.w[i];
    m.b[i] -= row * m.w[i];
  }
  return m;
}

}  // namespace

ViewTable::ViewTable(const Scan& scan, const VolumeGrid& grid)
    : detector_(scan.detector),
      middle_{grid.size[0] / 2, grid.size[1] / 2, grid.size[2] / 2},
      table_(scan.view_count()) {
  const Vec3 middle = grid.voxel_center(static_cast<double>(middle_[0]), static_cast<double>(middle_[1]),
                                        static_cast<double>(middle_[2]));
  for (const View& view : scan.views) {
    const double distance = axis_distance(view);
    const auto map = in_voxels(from_middle(make_view_map(detector_, view), detector_), middle, grid.spacing);
    views_.push_back({to_float(map), static_cast<float>(distance * distance), 0});
  }
}

ExactViews ViewTable::upload(cudaStream_t stream, const SubsetRows& rows) {
  std::vector<ExactView> some;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    some.push_back(views_[static_cast<std::size_t>(rows.row(i))]);
    some.back().slot = rows.slot(i) * detector_.pixels();
  }
  BACKLIT_CUDA(
      cudaMemcpyAsync(table_.data(), some.data(), some.size() * sizeof(ExactView), cudaMemcpyHostToDevice, stream));
  return {table_.data(),
          static_cast<int>(rows.count()),
          detector_.shape == Detector::Shape::flat,
          static_cast<int>(detector_.columns),
          static_cast<int>(detector_.rows),
          {static_cast<int>(middle_[0]), static_cast<int>(middle_[1]), static_cast<int>(middle_[2])}};
}

}  // namespace backlit::cuda

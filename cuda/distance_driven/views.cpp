#include "cuda/distance_driven/views.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/device/upload.hpp"
#include "geometry/make_view_map.hpp"
#include "projectors/distance_driven/make_distance_driven.hpp"

namespace backlit::cuda {
namespace {

template <class T>
void put_view(const std::vector<T>& from, std::int64_t view, DeviceBuffer<T>& to) {
  upload(to.data() + view * static_cast<std::int64_t>(from.size()), from.data(), from.size() * sizeof(T));
}

}  // namespace

DistanceDrivenViews::DistanceDrivenViews(const VolumeGrid& grid, const Scan& scan)
    : edges_(scan.view_count() * (scan.detector.columns + 1)),
      cells_(scan.view_count() * scan.detector.columns),
      maps_(scan.view_count()),
      seen_(scan.view_count()) {
  std::vector<ViewMap<float>> maps;
  for (std::int64_t i = 0; i < scan.view_count(); ++i) {
    const auto view = make_distance_driven(scan.detector, scan.views[static_cast<std::size_t>(i)], grid,
                                           fmt::format("view {}", i).c_str());
    put_view(view.edges, i, edges_);
    put_view(view.columns, i, cells_);
    maps.push_back(to_float(in_voxels(make_view_map(scan.detector, scan.views[static_cast<std::size_t>(i)]),
                                      grid.first_voxel(), grid.spacing)));
    views_.push_back({0, static_cast<int>(i), view.axis, view.reversed});
  }
  put_view(maps, 0, maps_);
  plan_.maps = maps_.data();
  for (std::size_t i = 0; i < 3; ++i) plan_.size[i] = static_cast<int>(grid.size[i]);
  plan_.columns = static_cast<int>(scan.detector.columns);
  plan_.rows = static_cast<int>(scan.detector.rows);
  plan_.edges = edges_.data();
  plan_.cells = cells_.data();
}

std::int64_t DistanceDrivenViews::bytes(const Scan& scan) {
  const auto each = static_cast<std::int64_t>(sizeof(ColumnEdge<double>) + sizeof(RowEdges<double>));
  return scan.view_count() * (scan.detector.columns + 1) * each;
}

const SeenView* DistanceDrivenViews::put(Stream& stream, const SubsetRows& rows, int& along_x) {
  std::vector<SeenView> seen;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    seen.push_back(views_[static_cast<std::size_t>(rows.row(i))]);
    seen.back().pixels = rows.slot(i) * plan_.columns * plan_.rows;
  }
  const auto others = std::ranges::stable_partition(seen, [](const SeenView& v) { return v.axis == 0; });
  along_x = static_cast<int>(others.begin() - seen.begin());
  BACKLIT_CUDA(
      cudaMemcpyAsync(seen_.data(), seen.data(), seen.size() * sizeof(SeenView), cudaMemcpyHostToDevice, stream));
  return seen_.data();
}

}  // namespace backlit::cuda

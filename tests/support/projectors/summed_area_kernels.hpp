// Projection and backprojection with summed areas on the host, in the order of a device's threads
// (cuda/distance_driven/areas.cu).
#pragma once

#include <array>

#include <backlit/core/parallel.hpp>
#include "geometry/make_view_map.hpp"
#include "support/projectors/summed_area_tables.hpp"

namespace backlit::test {

/// Backprojects one view. `shared`: K adjacent slices share corners; otherwise none do.
template <bool shared, int K, class Lookup>
std::vector<float> back_by_areas(const Lookup& table, const DistanceDrivenView& view, const VolumeGrid& grid,
                                 const Scan& scan) {
  const int columns = static_cast<int>(scan.detector.columns), rows = static_cast<int>(scan.detector.rows);
  const auto map = to_float(in_voxels(make_view_map(scan.detector, scan.views[0]), grid.first_voxel(), grid.spacing));
  const std::int64_t nx = grid.size[0], ny = grid.size[1], nz = grid.size[2];
  const std::int64_t stride = shared ? 1 : (nz + K - 1) / K;
  std::vector<float> volume(static_cast<std::size_t>(grid.voxels()), 0.0f);
  for (std::int64_t y = 0; y < ny; ++y)
    for (std::int64_t x = 0; x < nx; ++x)
      for (std::int64_t first = 0; first < (shared ? nz : stride); first += shared ? K : 1) {
        const auto slab = static_cast<float>(view.axis == 0 ? x : y),
                   place = static_cast<float>(view.axis == 0 ? y : x);
        const auto seen = [&](float across, float k, float span) {
          return see_line(map, view.axis == 0 ? slab : across, view.axis == 0 ? across : slab, k, span);
        };
        float sums[K] = {};
        const auto step = static_cast<int>(stride);
        const VoxelLine line = voxel_line(table, 0, columns, rows, view.reversed, false, place, static_cast<int>(first),
                                          (K - 1) * step + 1, seen);
        add_voxels<shared>(table, line, 0, step, sums);
        for (std::int64_t n = 0; n < K && first + n * stride < nz; ++n)
          volume[static_cast<std::size_t>(((first + n * stride) * ny + y) * nx + x)] = sums[n];
      }
  return volume;
}

/// Backprojects the scan's one view, `image`, by `bl` (four slices without shared corners) or, if `shared`, by `bz` (16
/// with shared corners).
template <bool shared = false>
std::vector<float> back_by_areas(const Way& way, const VolumeGrid& grid, const Scan& scan,
                                 std::span<const float> image) {
  const DistanceDrivenView view = make_distance_driven(scan.detector, scan.views[0], grid, "view");
  return with_lookup(way, [&]<class Lookup>() {
    const Lookup table(entries_of_view(view, scan.detector, image, way.less_mean), way);
    return back_by_areas < shared, shared ? 16 : 4 > (table, view, grid, scan);
  });
}

/// Projects a volume onto the scan's one view by `bl`.
inline std::vector<float> forward_by_areas(const Way& way, const Volume& volume, const Scan& scan) {
  const Detector& d = scan.detector;
  const DistanceDrivenView view = make_distance_driven(d, scan.views[0], volume.grid, "view");
  const Size3& n = volume.grid.size;
  const auto columns = static_cast<std::size_t>(d.columns), rows = static_cast<std::size_t>(d.rows);
  double all = 0;
  for (const float v : volume.values) all += static_cast<double>(v);
  const float mean = way.less_mean ? static_cast<float>(all / static_cast<double>(volume.grid.voxels())) : 0;
  std::vector<std::vector<float>> sums(columns, std::vector<float>(rows, 0.0f));
  for (std::int64_t slab = 0; slab < n[static_cast<std::size_t>(view.axis)]; ++slab)
    with_lookup(way, [&]<class Lookup>() {
      const Lookup table(entries_of_slab(volume, view.axis, slab, mean), way);
      const auto across = static_cast<float>(n[view.axis == 0 ? 1 : 0]);
      parallel_for(d.columns, [&](std::int64_t column) {
        const auto c = static_cast<std::size_t>(column);
        for (std::size_t r = 0; r < rows; ++r) {  // a thread of `bl` computes each one separately
          const CellColumn cells(view.edges[c], view.edges[c + 1], view.columns[c], static_cast<int>(r));
          float sum[1] = {sums[c][r]};
          add_cells<false>(table, 0, static_cast<float>(slab), across, static_cast<float>(n[2]), cells, 1, sum);
          sums[c][r] = sum[0];
        }
      });
    });
  std::vector<float> image(columns * rows);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      image[r * columns + (view.reversed ? columns - 1 - c : c)] =
          sums[c][r] * static_cast<float>(view.columns[c].length(static_cast<double>(r)));
  return image;
}

}  // namespace backlit::test

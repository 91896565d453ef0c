// Branchless distance-driven projection by sums along voxel columns and along the rows of views.
#pragma once

#include <fmt/format.h>

#include "cuda/distance_driven/base.hpp"

namespace backlit::cuda {

/// Memory for the tables of a batch of views, and for their first columns; more views are processed in batches. Larger
/// tables do not stay in the L2 cache: warps drift apart over thousands of views.
inline constexpr std::int64_t most_bytes = std::int64_t{128} << 20;
/// Tables of this size stay in a cache of 50 MB while warps work on them.
inline constexpr std::int64_t cached_bytes = std::int64_t{32} << 20;

inline std::int64_t views_at_once(const Scan& scan, std::int64_t bytes_a_view, std::int64_t bytes = most_bytes) {
  return std::clamp<std::int64_t>(bytes / bytes_a_view, 1, scan.view_count());
}

/// Size of the tables. Smaller ones are read faster, but each batch passes over the volume once more.
inline std::int64_t table_bytes(const VolumeGrid& grid) {
  return std::clamp(grid.voxels() * static_cast<std::int64_t>(sizeof(float)) / 4, cached_bytes, most_bytes);
}

inline int narrow(std::int64_t n) { return static_cast<int>(n); }

/// Largest number of first columns for a view's tiles.
template <class T>
std::int64_t tiles_a_view(const VolumeGrid& g) {
  return std::max(g.size[0] * tiles<T>(narrow(g.size[1])), g.size[1] * tiles<T>(narrow(g.size[0])));
}

/// Sums along voxel columns and along the rows of views, in T.
template <class T>
class ColumnSums final : public DistanceDriven {
 public:
  ColumnSums(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan)
      : DistanceDriven(backend, grid, scan),
        batch_(views_at_once(
            scan,
            std::max(scan.detector.columns * (scan.detector.rows + 2) * static_cast<std::int64_t>(sizeof(T)),
                     tiles_a_view<T>(grid) * static_cast<std::int64_t>(sizeof(int))),
            table_bytes(grid))),
        voxels_(grid.size[0] * grid.size[1] * (grid.size[2] + 2)) {}

  std::string variant() const override { return fmt::format("branchless_dd {}", sizeof(T) == 4 ? "bc" : "db"); }

 private:
  void add_forward(const CudaArray& volume, const Call& call, float* projections, bool accumulate) override {
    sum_slices(stream(), plan(), volume.data(), 0, voxels_.data());
    for (const int axis : {0, 1})
      in_parts(call, axis, most_blocks, [&](const SeenView* views, int count) {
        project_columns(stream(), plan(), views, count, voxels_.data(), projections, accumulate);
      });
  }

  void add_back(const CudaArray& projections, const Call& call, float* volume, bool accumulate) override {
    if (sums_.count() == 0) {  // first use of the transpose
      sums_ = DeviceBuffer<T>(batch_ * detector_.columns * (detector_.rows + 2));
      first_ = DeviceBuffer<int>(batch_ * tiles_a_view<T>(grid_));
    }
    BACKLIT_CUDA(cudaMemsetAsync(voxels_.data(), 0, voxels_.bytes(), stream()));
    for (const int axis : {0, 1})
      in_parts(call, axis, batch_, [&](const SeenView* views, int count) {
        sum_rows(stream(), plan(), views, count, projections.data(), 0, sums_.data());
        find_columns<T>(stream(), plan(), views, count, axis, first_.data());
        backproject_columns(stream(), plan(), views, count, axis, first_.data(), sums_.data(), voxels_.data());
      });
    turn_columns(stream(), plan(), voxels_.data(), volume, accumulate);
  }

  std::int64_t batch_;
  DeviceBuffer<T> voxels_;  ///< forward: sums along z; back: the views' contributions to voxel columns
  DeviceBuffer<T> sums_;
  DeviceBuffer<int> first_;
};

}  // namespace backlit::cuda

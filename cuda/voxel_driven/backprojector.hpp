// The base of all backprojectors of this backend.
#pragma once

#include <memory>

#include <backlit/core/error.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/voxel_driven/kernels.hpp"
#include "cuda/voxel_driven/view_table.hpp"
#include "recon/fdk/fdk_schedule.hpp"

namespace backlit::cuda {

/// What they have in common: shapes, moving, what they do not do.
class Backprojector : public LinearOperator {
 public:
  /// Onto `slices` of the grid; none: all.
  Backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                Run slices = {})
      : backend_(backend),
        made_for_(grid),
        grid_(grid),
        scan_(scan),
        options_(options),
        slices_(slices.count > 0 ? slices : Run{0, grid.size[2]}),
        detector_(scan.detector),
        views_(scan.view_count()),
        weighted_(options.weighting == Weighting::fdk) {}

  ArrayShape domain() const override { return {grid_.size[0], grid_.size[1], slices_.count}; }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return false; }

  /// New maps; textures and tables keep their size.
  bool move_by(const Size3& voxels) override {
    VolumeGrid moved = made_for_;
    for (int a = 0; a < 3; ++a)
      moved.center[a] += made_for_.spacing[a] * static_cast<double>(voxels[static_cast<std::size_t>(a)]);
    return move_to(moved);
  }
  /// The same to a grid of the same size anywhere; false, and nothing changed, where that takes another kernel.
  bool move_to(const VolumeGrid& grid) {
    if (!plan_for(grid)) return false;
    grid_ = grid;
    table_.reset();
    return true;
  }

  void forward(const DeviceArray&, DeviceArray&, const Subset&, Write) override {
    throw Unsupported("cuda", "voxel-driven projection has no forward operator here", "use --model slice_interpolated");
  }

  /// For few views, where the volume costs more than the views: interpolated in software whatever the precision.
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& subset) override {
    if (weighted_ || subset.count > most_views_relaxed) return false;
    const SubsetRows rows(range(), subset, y.shape());
    relax_exact(backend_.stream(), ours(y).data(), table().upload(backend_.stream(), rows), factor, least,
                slab(ours(x), false));
    return true;
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 protected:
  /// What a move changes; see move_to(). Kernels that are studied stay where they are.
  virtual bool plan_for(const VolumeGrid&) { return false; }

  /// Of the grid as it stands; made when first wanted.
  ViewTable& table() {
    if (!table_) table_ = std::make_unique<ViewTable>(scan_, grid_);
    return *table_;
  }

  VolumeSlab slab(CudaArray& x, bool accumulate) const {
    return {x.data(),
            static_cast<int>(grid_.size[0]),
            static_cast<int>(grid_.size[1]),
            static_cast<int>(slices_.count),
            static_cast<int>(slices_.first),
            accumulate};
  }

  CudaBackend& backend_;
  VolumeGrid made_for_, grid_;
  Scan scan_;
  CtOptions options_;
  Run slices_;
  Detector detector_;
  std::int64_t views_;
  bool weighted_;

 private:
  static constexpr std::int64_t most_views_relaxed = 8;

  std::unique_ptr<ViewTable> table_;
};

}  // namespace backlit::cuda

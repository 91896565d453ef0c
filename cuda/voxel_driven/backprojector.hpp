// Common base of all backprojectors of this backend.
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

namespace backlit::cuda {

/// Shapes, relaxation and sensitivity of all backprojectors. Throws Unsupported for forward().
class Backprojector : public LinearOperator {
 public:
  Backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : backend_(backend),
        grid_(grid),
        scan_(scan),
        options_(options),
        detector_(scan.detector),
        views_(scan.view_count()),
        weighted_(options.weighting == Weighting::fdk) {}

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return false; }

  void forward(const DeviceArray&, DeviceArray&, const Subset&, Write) override {
    throw Unsupported("cuda", "voxel-driven projection has no forward operator here", "use `model` joseph");
  }

  /// For few views, where the volume costs more time than the views: interpolates in software in every precision.
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
  /// Made at first use.
  ViewTable& table() {
    if (!table_) table_ = std::make_unique<ViewTable>(scan_, grid_);
    return *table_;
  }

  VolumeSlab slab(CudaArray& x, bool accumulate) const {
    const auto size = [&](std::size_t a) { return static_cast<int>(grid_.size[a]); };
    return {x.data(), size(0), size(1), size(2), 0, accumulate};
  }

  CudaBackend& backend_;
  VolumeGrid grid_;
  Scan scan_;
  CtOptions options_;
  Detector detector_;
  std::int64_t views_;
  bool weighted_;

 private:
  static constexpr std::int64_t most_views_relaxed = 8;

  std::unique_ptr<ViewTable> table_;
};

}  // namespace backlit::cuda

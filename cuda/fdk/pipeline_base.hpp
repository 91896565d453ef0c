// Common base of FDK's two pipelines: views arrive in batches through a feed; kernels, downloads and clocks use their
// own streams.
#pragma once

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "cuda/device/cuda_array.hpp"
#include "cuda/fdk/pipeline.hpp"
#include "cuda/fdk/view_feed.hpp"

namespace backlit::cuda {

constexpr std::int64_t column_voxels = 16;  ///< largest number of slices that a kernel takes at a time

class PipelineBase : public FdkPipeline {
 public:
  const std::vector<std::vector<std::int64_t>>& batches() const final { return feed_.batches(); }
  std::int64_t view_bytes() const final { return feed_.view_bytes(); }
  std::span<std::byte> staging(std::int64_t n) final { return feed_.staging(n); }
  void wait_for_staging(std::int64_t n) final { feed_.wait_for_staging(n); }

  bool give_resident(std::int64_t n, const DeviceArray& all) final {
    const auto* const values = dynamic_cast<const CudaArray*>(&all);
    const std::int64_t pixels = all.shape().n0 * all.shape().n1, float_bytes = sizeof(float);
    if (!values || view_bytes() != pixels * float_bytes) return false;
    std::vector<const std::byte*> places;
    for (const std::int64_t view : batches()[static_cast<std::size_t>(n)])
      places.push_back(reinterpret_cast<const std::byte*>(values->data() + view * pixels));
    give(n, places);
    return true;
  }

  void finish() final {
    send_down();
    download_.wait();
  }

  Faults faults() final { return feed_.faults(); }

  Timeline timeline() final {
    project_.wait();
    download_.wait();
    return clock_.read();
  }

 protected:
  /// `layers`: number of the plan's layers that are in textures at a time; 0: all. `filter_beside`: filter while views
  /// are backprojected.
  PipelineBase(PassClock* passes, const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& options,
               BackprojectionPlan plan, const FilterTables& tables, std::int64_t layers, bool filter_beside)
      : columns_(grid.size[0]),
        rows_(grid.size[1]),
        slices_(slices_of(grid, options)),
        weighted_(options.ct.weighting == Weighting::fdk),
        plan_(std::move(plan)),
        filter_(passes, Stream::Priority::high),
        project_(passes),
        feed_(scan, options, plan_, tables, filter_beside ? filter_ : project_, clock_),
        textures_(scan.detector.columns, scan.detector.rows, layers > 0 ? layers : layer_count(plan_), plan_.texel),
        items_(static_cast<std::size_t>(layer_count(plan_))) {
    std::iota(items_.begin(), items_.end(), 0);
  }

  /// Starts a new pass over all batches, into `volume` on the host.
  void restart(std::span<float> volume) {
    require_size(volume, slices_.count * slice());
    project_.wait();
    download_.wait();
    host_ = volume;
    given_ = 0;
    feed_.begin();
  }

  void require_next(std::int64_t batch) const {
    if (batch != given_) throw Failure("pipeline", fmt::format("batch {} given where {} is due", batch, given_));
  }

  std::int64_t slice() const { return columns_ * rows_; }

  /// `z` counted from the first of the pipeline's slices.
  std::string name_of(const Run& z) const {
    return fmt::format("slices {} to {}", slices_.first + z.first, slices_.first + z.first + z.count - 1);
  }

  std::int64_t columns_, rows_;  ///< voxels along x and y
  Run slices_;
  bool weighted_;
  BackprojectionPlan plan_;
  Stream filter_, project_, download_;
  DeviceTimeline clock_;
  ViewFeed feed_;
  LayeredTextures textures_;
  std::vector<std::int64_t> items_;
  std::span<float> host_;
  std::int64_t given_ = 0;  ///< number of batches
};

}  // namespace backlit::cuda

// Views in host memory become filtered views in textures: the first half of FDK's pipelines.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "cuda/device/device_timeline.hpp"
#include "cuda/device/pinned.hpp"
#include "cuda/filter/row_filter.hpp"
#include "cuda/voxel_driven/run_plan.hpp"
#include "recon/fdk/fdk_schedule.hpp"

namespace backlit::cuda {

/// Takes the views of a plan in batches. Each batch is uploaded on one stream and filtered into layers of a texture on
/// another.
class ViewFeed {
 public:
  static constexpr std::int64_t slots = 3;  ///< batches of raw views on the device at the same time

  /// Filters on `filtering`; spans go to `clock`. Both must outlive this.
  ViewFeed(const Scan&, const FdkPipelineOptions&, const BackprojectionPlan&, const FilterTables&, Stream& filtering,
           DeviceTimeline& clock);

  const std::vector<std::vector<std::int64_t>>& batches() const { return views_; }
  /// The plan's layers that batch `n` fills.
  const Run& layers(std::int64_t n) const { return layers_[static_cast<std::size_t>(n)]; }
  std::int64_t view_bytes() const;

  std::span<std::byte> staging(std::int64_t n);
  void wait_for_staging(std::int64_t n);
  /// Starts a new pass over all batches. Uploads of the last pass must have ended.
  void begin();
  /// Uploads batch `n` and filters it into layers [first, ...) of `textures`. Streams wait for it with ready(n).
  void give(std::int64_t n, std::span<const std::byte* const> views, LayeredTextures& textures, std::int64_t first);
  const Event& ready(std::int64_t n) const { return raw_[n % slots].free; }
  FdkPipeline::Faults faults();

  /// Bytes of device memory that a feed needs besides textures.
  static std::int64_t device_bytes(const Scan&, const FdkPipelineOptions&);

 private:
  /// Device memory for a batch of raw views.
  struct Slot {
    DeviceBuffer<std::byte> bytes;
    Event uploaded, free;
  };
  std::size_t slot_bytes() const;
  void upload_counts(const CountScale&, std::int64_t views);
  void upload(std::span<const std::byte* const> views, Slot&);
  void filter(std::int64_t n, const Slot&, LayeredTextures&, std::int64_t first);

  Detector detector_;
  bool counts_;
  std::int64_t per_layer_;  ///< views per layer
  Stream uploading_;
  Stream& filtering_;
  DeviceTimeline& clock_;
  RowFilter filter_;
  std::int64_t together_;  ///< views that are filtered before they are packed
  DeviceBuffer<float> filtered_;
  std::vector<Run> layers_;
  std::vector<std::vector<std::int64_t>> views_;
  DeviceBuffer<int> index_;  ///< scan index of each view of each batch
  DeviceBuffer<float> dark_, open_;
  DeviceBuffer<CountTables::Faults> faults_;
  Slot raw_[slots];
  PinnedBuffer staging_[slots];
};

}  // namespace backlit::cuda

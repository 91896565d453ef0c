// FDK of a whole scan on a device, with all stages overlapped. Views are uploaded while earlier views are filtered and
// backprojected. Slabs of the volume are downloaded while the next slab is computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <backlit/core/timeline.hpp>
#include <backlit/data/count_scale.hpp>
#include <backlit/device/device_array.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>

namespace backlit {

struct FdkPipelineOptions {
  CtOptions ct{};
  FilterOptions filter{};
  /// Views are u16 counts that the device corrects; null: views are f32 line integrals. The pipeline copies the scale.
  const CountScale* counts = nullptr;
  /// Slices of the grid to compute; slice_count 0: all. The host's volume then holds these slices alone. Their values
  /// equal those of a run over all slices when `first_slice` is a multiple of 16.
  std::int64_t first_slice = 0, slice_count = 0;

  // Division of the work; the defaults measured best (docs/notebook/fdk-pipeline.md).
  std::vector<std::int64_t> batches{};  ///< views a batch; the last number repeats. Empty: chosen by the size of a view
  /// Shares of the slices, one a slab. The first slab takes each batch as it arrives. Each other slab takes all views
  /// at once, while the slab before it is downloaded. Empty: chosen by the time that upload and backprojection take.
  std::vector<double> slabs{};
  std::int64_t filtered_together = 32;  ///< views in one call of the filter's kernels
  bool filter_beside = true;            ///< filter a batch while the batch before it is backprojected, not after that
};

/// A plan for one scan and one grid, to be run any number of times. It belongs to the thread of its Backend. Callers
/// give the batches in order between begin() and finish().
class FdkPipeline {
 public:
  virtual ~FdkPipeline() = default;

  /// The scan's views by batch, in the order in which staging() and give() take them.
  virtual const std::vector<std::vector<std::int64_t>>& batches() const = 0;
  /// Bytes of one view in give(): pixels of f32 or u16.
  virtual std::int64_t view_bytes() const = 0;

  /// Page-locked memory for batch `n`, one view after another. Waits until the previous batch in this memory has been
  /// uploaded.
  virtual std::span<std::byte> staging(std::int64_t n) = 0;
  /// Waits as staging() does. For several pipelines that take their views from the staging memory of one of them.
  virtual void wait_for_staging(std::int64_t n) = 0;
  /// Begins a reconstruction into `volume`, host memory that must stay valid until finish() returns.
  virtual void begin(std::span<float> volume) = 0;
  /// Starts batch `n`, whose views lie at `views` in host memory. The memory must not change until the device is done.
  /// Only uploads from page-locked memory overlap. Returns at once.
  virtual void give(std::int64_t n, std::span<const std::byte* const> views) = 0;
  /// The same for views on the pipeline's own device, of which `all` holds all of the scan's as line integrals. They
  /// must not change until the device is done. Returns false, and does nothing, where the pipeline cannot take them.
  virtual bool give_resident(std::int64_t /*n*/, const DeviceArray& /*all*/) { return false; }
  /// The volume of the batches given so far; null where the device never holds the whole volume.
  virtual const DeviceArray* volume() = 0;
  /// The same, without waiting: starts the rest of the work. finish_slices() then waits for slices.
  virtual const DeviceArray* begin_volume() { return volume(); }
  /// Waits until the slices below `end` hold all batches: in begin_volume(), or in the host's volume where that is
  /// null. It starts the rest of the work itself if nothing else has.
  virtual void finish_slices(std::int64_t /*end*/) {}
  /// How many slices finish_slices() brings to the host's volume at a time; 0 where only finish() brings all.
  virtual std::int64_t slab_slices() const { return 0; }
  /// Starts the rest of the batches given so far, and the download to the host. It may wait for the device.
  virtual void send_down() = 0;
  /// Calls send_down() and waits until the host's volume holds the batches given so far. More batches may follow.
  virtual void finish() = 0;

  /// Faults in the counts given so far: by view the live pixels without a reading above dark, and the pixels without a
  /// neighbour to fill them from. If `unfilled` is not 0, the volume is wrong there, and the host must correct this
  /// scan. Waits for the device.
  struct Faults {
    std::vector<std::int64_t> replaced;
    std::int64_t unfilled = 0;
  };
  virtual Faults faults() = 0;

  /// The times at which each stage of each batch ran since begin(). Waits for the device.
  virtual Timeline timeline() = 0;
  virtual std::string variant() const = 0;
};

}  // namespace backlit

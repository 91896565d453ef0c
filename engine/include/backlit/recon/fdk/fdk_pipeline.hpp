// FDK of a whole scan on a device, every stage overlapped: views go up, are filtered and backprojected while others
// come, and slabs of the volume go down while the last one is computed.
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
  /// Views are u16 counts, corrected on the device; null: they are f32 line integrals. Read when the pipeline is made.
  const CountScale* counts = nullptr;
  /// Slices of the grid to compute, which the host's volume then holds alone; slice_count 0: all. They get the numbers
  /// that they have in the whole when the first is a multiple of 16.
  std::int64_t first_slice = 0, slice_count = 0;

  // How the work is cut; the defaults measured best (docs/notebook/fdk-pipeline.md).
  std::vector<std::int64_t> batches{};  ///< views; the last repeats. Empty: by the size of a view
  /// Shares of the slices. The first slab takes each batch as it comes, the others take all views at once and go down
  /// side by side with the next one's computation. Empty: by how long views take to come and to be backprojected.
  std::vector<double> slabs{};
  std::int64_t filtered_together = 32;  ///< views that go through the filter's kernels together
  bool filter_beside = true;            ///< filter a batch while the one before it is backprojected, not after it
};

/// A plan for one scan and one grid, to be run any number of times. Belongs to the thread of its Backend. Give the
/// batches in order between begin() and finish().
class FdkPipeline {
 public:
  virtual ~FdkPipeline() = default;

  /// The scan's views by batch, in the order in which staging() and give() take them.
  virtual const std::vector<std::vector<std::int64_t>>& batches() const = 0;
  /// Bytes of one view as it is given: pixels of f32 or u16.
  virtual std::int64_t view_bytes() const = 0;

  /// Page-locked room for batch `n`, one view after another; waits until the batch that was there before has gone up.
  virtual std::span<std::byte> staging(std::int64_t n) = 0;
  /// That wait alone, for several pipelines that take their views from the room of one of them.
  virtual void wait_for_staging(std::int64_t n) = 0;
  /// Begins a reconstruction. `volume` (host memory, must stay until finish()) will hold its values.
  virtual void begin(std::span<float> volume) = 0;
  /// Starts batch `n`, whose views lie at `views`, in host memory that stays as it is until the device is done
  /// (page-locked memory alone overlaps). Returns at once.
  virtual void give(std::int64_t n, std::span<const std::byte* const> views) = 0;
  /// The volume of the batches given so far; null where it is never on the device as a whole.
  virtual const DeviceArray* volume() = 0;
  /// Starts the rest of the batches given so far, and the download to the host. It may wait for the device.
  virtual void send_down() = 0;
  /// Sends down and waits until the host's volume holds the batches given so far. More may follow.
  virtual void finish() = 0;

  /// Of counts given so far: live pixels without a reading above dark, by view, and whether some pixel had no
  /// neighbour to be filled from (then the volume is wrong there, and the host has to correct this scan). Waits.
  struct Faults {
    std::vector<std::int64_t> replaced;
    std::int64_t unfilled = 0;
  };
  virtual Faults faults() = 0;

  /// When each stage of each batch ran since begin(); waits.
  virtual Timeline timeline() = 0;
  virtual std::string variant() const = 0;
};

}  // namespace backlit

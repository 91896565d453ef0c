#include "recon/fdk/pipelined_fdk.hpp"

#include <algorithm>
#include <functional>

#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/host_memory.hpp>
#include <backlit/device/resident_views.hpp>
#include <backlit/projectors/require.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "device/hosted_array.hpp"
#include "device/shared_arrays.hpp"
#include "recon/operator_options.hpp"

namespace backlit {
namespace {

/// Makes a pipeline for counts of this scale, or for line integrals when the scale is null. Returns null where there is
/// none.
using MakePipeline = std::function<std::unique_ptr<FdkPipeline>(const CountScale*)>;

/// Reads a batch while the device works on earlier batches. If the source has 16-bit counts, the counts are uploaded
/// and the device corrects them.
class PipelinedFdk final : public Reconstruction {
 public:
  /// `make` has made `pipeline`: for the source's counts (`counts`), else for line integrals.
  PipelinedFdk(Backend& backend, std::unique_ptr<FdkPipeline> pipeline, MakePipeline make,
               std::shared_ptr<ProjectionSource> source, const VolumeGrid& grid, bool counts)
      : backend_(backend),
        make_(std::move(make)),
        source_(std::move(source)),
        mapped_(memory_left() < grid.voxels() * std::int64_t{sizeof(float)}),
        volume_(grid),
        pipeline_(std::move(pipeline)),
        counts_(counts),
        resident_(counts ? nullptr : resident_views(*source_, backend)) {
    pipeline_->begin(volume_.values.span());
  }

  Status step() override {
    const auto& batches = pipeline_->batches();
    if (batch_ == count(batches)) return Status::finished;
    const auto& views = batches[static_cast<std::size_t>(batch_)];
    if (resident_) {
      if (batch_ == 0) given_first_ = clock_seconds();
      if (pipeline_->give_resident(batch_, *resident_)) return given(count(views));
      resident_ = nullptr;
    }
    const std::span<std::byte> room = pipeline_->staging(batch_);
    const double begin = clock_seconds();
    const std::vector<const std::byte*> places = read(views, room.data());
    if (batch_ == 0) given_first_ = clock_seconds();
    reads_.push_back({"read", fmt_views(views), begin, clock_seconds() - begin});
    pipeline_->give(batch_, places);
    return given(count(views));
  }

  ReconProgress progress() const override { return {"backproject", done_, source_->scan().view_count(), "views", 0}; }
  std::span<const double> residuals() const override { return {}; }
  /// A volume that the device never holds as a whole is not shown before it is done.
  void publish(DisplayVolume& display) override {
    if (const DeviceArray* volume = pipeline_->volume()) display.publish(*volume, volume_.grid);
  }

  Volume download() override {
    pipeline_->finish();
    seconds_ = lane_seconds(timeline());
    // The finished volume is moved out. Earlier calls get copies, because the work continues on the original.
    if (batch_ == count(pipeline_->batches())) return std::move(volume_);
    return {volume_.grid, volume_.values.clone()};
  }

  /// Of a volume in host memory the slabs are finished one after another, too. One that is mapped to a file is not
  /// given in parts, since that file can become the output.
  const DeviceArray* unfinished_volume() override {
    if (batch_ < count(pipeline_->batches())) return nullptr;
    if (const DeviceArray* const volume = pipeline_->begin_volume()) return volume;
    if (pipeline_->slab_slices() == 0 || mapped_) return nullptr;
    if (!hosted_) hosted_ = std::make_unique<HostedArray>(shape_of(volume_.grid), volume_.values.span());
    return hosted_.get();
  }
  void finish_slices(std::int64_t end) override {
    const std::int64_t slices = volume_.grid.size[2];
    pipeline_->finish_slices(end < 0 ? slices : end);
    if (end < 0 || end >= slices) seconds_ = lane_seconds(timeline());
  }
  std::int64_t slab_slices() override { return pipeline_->slab_slices(); }

  const std::map<std::string, double>& seconds() const override { return seconds_; }
  std::string variant() const override {
    return pipeline_->variant() + (counts_     ? ", counts corrected on the device"
                                   : resident_ ? ", views on the device"
                                               : "");
  }

  /// The host's and the device's clocks are aligned at the first batch.
  Timeline timeline() override {
    Timeline all = reads_;
    for (TimeSpan span : pipeline_->timeline()) {
      span.start += given_first_;
      all.push_back(span);
    }
    return all;
  }

 private:
  template <class List>
  static std::int64_t count(const List& list) {
    return static_cast<std::int64_t>(list.size());
  }
  static std::string fmt_views(const std::vector<std::int64_t>& views) {
    return std::to_string(views.size()) + " views";
  }

  Status given(std::int64_t views) {
    ++batch_;
    done_ += views;
    return batch_ == count(pipeline_->batches()) ? settle_counts() : Status::more;
  }

  /// Reports the repairs of the device. If a pixel has no neighbour to fill it, starts again with the host's
  /// correction.
  Status settle_counts() {
    if (!counts_) return Status::finished;
    const FdkPipeline::Faults faults = pipeline_->faults();
    if (largest(backend_, static_cast<double>(faults.unfilled)) == 0) {
      for (std::int64_t view = 0; view < count(faults.replaced); ++view)
        source_->note_replaced(view, faults.replaced[static_cast<std::size_t>(view)]);
      return Status::finished;
    }
    counts_ = false;
    pipeline_.reset();  // frees its memory first
    pipeline_ = make_(nullptr);
    if (!pipeline_)
      throw DeviceFailure("counts", "a pixel has no live neighbour, and the device has no room for line integrals",
                          "set `gpu_memory` higher, or use `backend` gl or cpu");
    pipeline_->begin(volume_.values.span());
    batch_ = done_ = 0;
    reads_.clear();
    return Status::more;
  }

  void read(std::int64_t first, std::int64_t views, std::byte* to) {
    const auto values = static_cast<std::size_t>(views * source_->scan().detector.pixels());
    if (counts_)
      source_->read_counts(first, views, {reinterpret_cast<std::uint16_t*>(to), values});
    else
      source_->read(first, views, {reinterpret_cast<float*>(to), values});
  }

  /// Reads views into `room`, neighbours together. Returns the place of each view.
  std::vector<const std::byte*> read(const std::vector<std::int64_t>& views, std::byte* room) {
    std::vector<std::int64_t> sorted = views;
    std::sort(sorted.begin(), sorted.end());
    for (std::int64_t i = 0, next; i < count(sorted); i = next) {
      const std::int64_t first = sorted[static_cast<std::size_t>(i)];
      for (next = i + 1; next < count(sorted) && sorted[static_cast<std::size_t>(next)] == first + next - i;) ++next;
      read(first, next - i, room + i * pipeline_->view_bytes());
    }
    std::vector<const std::byte*> places;
    for (std::int64_t view : views) {
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), view) - sorted.begin();
      places.push_back(room + at * pipeline_->view_bytes());
    }
    return places;
  }

  Backend& backend_;
  MakePipeline make_;
  std::shared_ptr<ProjectionSource> source_;
  bool mapped_;  ///< the volume, to a file
  Volume volume_;
  std::unique_ptr<HostedArray> hosted_;
  std::unique_ptr<FdkPipeline> pipeline_;  ///< destroyed before the volume that it writes
  bool counts_;                            ///< whether the pipeline receives counts
  const DeviceArray* resident_;            ///< the source's views; null where they are not on the device
  std::int64_t batch_ = 0, done_ = 0;      ///< batches and views given
  double given_first_ = 0;
  Timeline reads_;
  std::map<std::string, double> seconds_;
};

}  // namespace

std::unique_ptr<Reconstruction> make_pipelined_fdk(const ReconInput& input, const FdkOptions& options) {
  FdkPipelineOptions pipeline;
  pipeline.ct = operator_options(options, Model::voxel_driven);
  pipeline.ct.weighting = Weighting::fdk;
  pipeline.filter = options.filter;
  require_choices(input.backend, pipeline.ct);
  MakePipeline make = [&backend = input.backend, scan = input.source->scan(), grid = input.grid,
                       pipeline](const CountScale* scale) mutable {
    pipeline.counts = scale;
    return backend.make_fdk_pipeline(scan, grid, pipeline);
  };
  const auto source = source_of_rows(input.backend, input.source, input.grid);
  const CountScale* const scale = source->count_scale();
  auto made = make(scale);
  const bool counts = scale && made;
  if (!made && scale) made = make(nullptr);  // the host corrects the counts
  if (!made) return nullptr;
  return std::make_unique<PipelinedFdk>(input.backend, std::move(made), std::move(make), source,
                                        held_part(input.backend, input.grid), counts);
}

}  // namespace backlit

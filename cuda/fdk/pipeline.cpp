#include "fdk/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "backend/fdk_schedule.hpp"
#include "backproject/run_plan.hpp"
#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "event.hpp"
#include "filter/row_filter.hpp"
#include "pinned.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t slots = 3;           // batches of raw views on the device at a time
constexpr std::int64_t column_voxels = 16;  // no kernel takes more slices at a time
/// No count of 16 bits makes a larger line integral: even 1 of 65535 is 11.1, and a half pixel of a flat more 12.
constexpr float largest_integral = 32;

class Pipeline final : public FdkPipeline {
 public:
  Pipeline(const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& options, BackprojectionPlan plan,
           const FdkWeights& weights)
      : detector_(scan.detector),
        grid_(grid),
        counts_(options.counts != nullptr),
        weighted_(options.ct.weighting == Weighting::fdk),
        plan_(std::move(plan)),
        filter_stream_(options.filter_beside ? own_filter_stream_ : project_),
        filter_(scan, options.filter, weights, filtered_together(options), filter_stream_),
        volume_(shape_of(grid)) {
    plan_batches(scan, options);
    for (const Run& r : z_slabs(grid.size[2], options.slabs, column_voxels)) slabs_.push_back({r, 0, {}});
    if (counts_) upload_counts(*options.counts, scan.view_count());
    BACKLIT_CUDA(cudaDeviceSynchronize());  // tables went up on another stream
  }

  const std::vector<std::vector<std::int64_t>>& batches() const override { return views_; }
  std::int64_t view_bytes() const override {
    return detector_.pixels() * static_cast<std::int64_t>(counts_ ? sizeof(std::uint16_t) : sizeof(float));
  }
  std::string variant() const override { return fmt::format("voxel_driven {}, overlapped", plan_.variant); }

  std::span<std::byte> staging(std::int64_t n) override {
    PinnedBuffer& room = staging_[n % slots];
    if (room.bytes() == 0) room = PinnedBuffer(slot_bytes());
    if (n >= slots) raw_[n % slots].uploaded.wait();
    const auto bytes = static_cast<std::int64_t>(views_[static_cast<std::size_t>(n)].size()) * view_bytes();
    return {room.data(), static_cast<std::size_t>(bytes)};
  }

  void give(std::int64_t n, std::span<const std::byte* const> views) override {
    if (n == 0) begin();
    if (n != given_) throw Failure("pipeline", fmt::format("batch {} given where {} is due", n, given_));
    Batch& batch = batches_[static_cast<std::size_t>(n)];
    Slot& raw = raw_[n % slots];
    const std::string name = fmt::format("batch {}, {} views", n, batch.count);
    if (n >= slots) raw.free.hold(upload_);
    clock_.span("upload", name, upload_, [&] { upload(views, raw); });
    raw.uploaded.record(upload_);
    raw.uploaded.hold(filter_stream_);
    clock_.span("filter", name, filter_stream_, [&] { filter(batch, raw); });
    raw.free.record(filter_stream_);
    raw.free.hold(project_);
    ++given_;
    clock_.span("backproject", name, project_, [&] { backproject(slabs_.front(), given_); });
  }

  const DeviceArray& volume() override {
    for (Slab& slab : slabs_) backproject(slab, given_);
    project_.wait();
    return volume_;
  }

  void download(std::span<float> host) override {
    if (static_cast<std::int64_t>(host.size()) != volume_.count())
      throw Failure("cuda", fmt::format("a volume of {} values downloaded to {}", volume_.count(), host.size()));
    const std::int64_t slice = grid_.size[0] * grid_.size[1];
    for (Slab& slab : slabs_) {
      const Run& z = slab.slices;
      const std::string name = fmt::format("slices {} to {}", z.first, z.first + z.count - 1);
      if (slab.in_volume < given_) clock_.span("backproject", name, project_, [&] { backproject(slab, given_); });
      slab.done.record(project_);
      slab.done.hold(download_);
      clock_.span("download", name, download_, [&] {
        BACKLIT_CUDA(cudaMemcpyAsync(host.data() + z.first * slice, volume_.data() + z.first * slice,
                                     static_cast<std::size_t>(z.count * slice) * sizeof(float), cudaMemcpyDeviceToHost,
                                     download_));
      });
    }
    download_.wait();
  }

  Faults faults() override {
    Faults result;
    if (!counts_) return result;
    std::vector<CountTables::Faults> host(static_cast<std::size_t>(faults_.count()));
    BACKLIT_CUDA(cudaMemcpyAsync(host.data(), faults_.data(), faults_.bytes(), cudaMemcpyDeviceToHost, filter_stream_));
    filter_stream_.wait();
    for (const auto& f : host) {
      result.replaced.push_back(f.replaced);
      result.unfilled += f.unfilled;
    }
    return result;
  }

  Timeline timeline() override {
    project_.wait();
    download_.wait();
    return clock_.read();
  }

 private:
  /// Views that go through together: packed in textures of their own, with a unit of their own.
  struct Batch {
    std::int64_t first;               ///< of the views in index_
    std::int64_t count;               ///< views
    std::vector<std::int64_t> items;  ///< of the plan, one a layer
    std::unique_ptr<LayeredTextures> textures;
  };
  /// Room on the device for a batch as it was measured.
  struct Slot {
    DeviceBuffer<std::byte> bytes;
    Event uploaded, free;
  };
  struct Slab {
    Run slices;
    std::int64_t in_volume;  ///< batches that it holds
    Event done;
  };

  std::int64_t filtered_together(const FdkPipelineOptions& options) const {
    const std::int64_t layer = channels(plan_.texel);
    return std::max(layer, options.filtered_together / layer * layer);
  }

  void plan_batches(const Scan& scan, const FdkPipelineOptions& options) {
    const std::int64_t per_layer = channels(plan_.texel);
    std::vector<int> index;
    for (const Run& run : layer_batches(layer_count(plan_), per_layer, options.batches)) {
      Batch batch{static_cast<std::int64_t>(index.size()), run.count * per_layer, {}, {}};
      auto& views = views_.emplace_back();
      for (std::int64_t item = run.first; item < run.first + run.count; ++item) {
        batch.items.push_back(item);
        for (std::int64_t view : views_of_layer(plan_, item)) views.push_back(view);
      }
      for (std::int64_t view : views) index.push_back(static_cast<int>(view));
      batch.textures = std::make_unique<LayeredTextures>(detector_.columns, detector_.rows, run.count, plan_.texel);
      if (counts_) batch.textures->set_unit(largest_integral * filter_.largest_gain());
      batches_.push_back(std::move(batch));
    }
    index_ = DeviceBuffer<int>(scan.view_count());
    BACKLIT_CUDA(cudaMemcpy(index_.data(), index.data(), index_.bytes(), cudaMemcpyHostToDevice));
    for (Slot& slot : raw_) slot.bytes = DeviceBuffer<std::byte>(static_cast<std::int64_t>(slot_bytes()));
  }

  std::size_t slot_bytes() const {
    std::int64_t most = 0;
    for (const Batch& batch : batches_) most = std::max(most, batch.count);
    return static_cast<std::size_t>(most * view_bytes());
  }

  void upload_counts(const CountScale& scale, std::int64_t views) {
    dark_ = DeviceBuffer<float>(detector_.pixels());
    open_ = DeviceBuffer<float>(detector_.pixels());
    if (static_cast<std::int64_t>(scale.dark.size()) != dark_.count() || scale.open.size() != scale.dark.size())
      throw Failure("counts", "darks and flats are not of the detector's size");
    BACKLIT_CUDA(cudaMemcpy(dark_.data(), scale.dark.data(), dark_.bytes(), cudaMemcpyHostToDevice));
    BACKLIT_CUDA(cudaMemcpy(open_.data(), scale.open.data(), open_.bytes(), cudaMemcpyHostToDevice));
    faults_ = DeviceBuffer<CountTables::Faults>(views);
  }

  /// A new volume: nothing of an earlier run may still be on its way.
  void begin() {
    project_.wait();
    download_.wait();
    given_ = 0;
    for (Slab& slab : slabs_) slab.in_volume = 0;
    if (counts_) BACKLIT_CUDA(cudaMemsetAsync(faults_.data(), 0, faults_.bytes(), filter_stream_));
    clock_.restart(upload_);
  }

  /// Views that lie one after another in host memory go up in one copy.
  void upload(std::span<const std::byte* const> views, Slot& raw) {
    const std::int64_t bytes = view_bytes();
    for (std::size_t i = 0, next; i < views.size(); i = next) {
      for (next = i + 1; next < views.size() && views[next] == views[next - 1] + bytes;) ++next;
      BACKLIT_CUDA(cudaMemcpyAsync(raw.bytes.data() + static_cast<std::int64_t>(i) * bytes, views[i],
                                   (next - i) * static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, upload_));
    }
  }

  void filter(Batch& batch, const Slot& raw) {
    const FilterRows& rows = filter_.rows();
    const auto* integrals = reinterpret_cast<const float*>(raw.bytes.data());
    const auto* counts = reinterpret_cast<const std::uint16_t*>(raw.bytes.data());
    if (!counts_)
      batch.textures->choose_unit(filter_stream_, integrals, batch.count * detector_.pixels(), filter_.largest_gain());
    const std::int64_t per_layer = channels(plan_.texel);
    for (std::int64_t done = 0; done < batch.count; done += filter_.capacity()) {
      const std::int64_t count = std::min(filter_.capacity(), batch.count - done), pixel = done * detector_.pixels();
      const int* index = index_.data() + batch.first + done;
      if (counts_)
        filter_.run(static_cast<int>(count), counts + pixel, {dark_.data(), open_.data(), faults_.data()}, index);
      else
        filter_.run(static_cast<int>(count), integrals + pixel, index);
      const LinearImages images{filter_.padded(), rows.stride(), std::int64_t{rows.stride()} * rows.rows, nullptr};
      batch.textures->fill(filter_stream_, images, done / per_layer, count / per_layer);
    }
  }

  /// Brings a slab up to the first `until` batches.
  void backproject(Slab& slab, std::int64_t until) {
    const Run& z = slab.slices;
    const auto nx = static_cast<int>(grid_.size[0]), ny = static_cast<int>(grid_.size[1]);
    for (; slab.in_volume < until; ++slab.in_volume) {
      const Batch& batch = batches_[static_cast<std::size_t>(slab.in_volume)];
      run_plan(project_, plan_, {*batch.textures, 0, batch.items}, weighted_,
               {volume_.data() + z.first * grid_.size[0] * grid_.size[1], nx, ny, static_cast<int>(z.count),
                static_cast<int>(z.first), slab.in_volume > 0});
    }
  }

  Detector detector_;
  VolumeGrid grid_;
  bool counts_, weighted_;
  BackprojectionPlan plan_;
  Stream upload_, own_filter_stream_{Stream::Priority::high}, project_, download_;
  Stream& filter_stream_;
  RowFilter filter_;
  CudaArray volume_;
  std::vector<std::vector<std::int64_t>> views_;
  std::vector<Batch> batches_;
  std::vector<Slab> slabs_;
  DeviceBuffer<int> index_;  ///< the scan's view that each view of each batch is
  DeviceBuffer<float> dark_, open_;
  DeviceBuffer<CountTables::Faults> faults_;
  Slot raw_[slots];
  PinnedBuffer staging_[slots];
  std::int64_t given_ = 0;  ///< batches
  DeviceTimeline clock_;
};

/// Bytes that a pipeline takes on the device.
std::int64_t pipeline_bytes(const Scan& scan, const VolumeGrid& grid, const BackprojectionPlan& plan,
                            const FdkPipelineOptions& options) {
  const std::int64_t pixels = scan.detector.pixels(), texel = is_half(plan.texel) ? 2 : 4;
  const std::int64_t batch = *std::max_element(options.batches.begin(), options.batches.end());
  const std::int64_t padded = 5 * pixels / 2 * options.filtered_together;  // fast lengths exceed twice the columns
  return 4 * grid.voxels() + texel * scan.view_count() * pixels + slots * batch * pixels * (options.counts ? 2 : 4) +
         2 * 4 * padded;  // rows, and as much again that cuFFT may want
}

}  // namespace

std::unique_ptr<FdkPipeline> make_fdk_pipeline(CudaBackend& backend, const Scan& scan, const VolumeGrid& grid,
                                               const FdkPipelineOptions& options) {
  if (options.ct.precision == Precision::exact || options.ct.model != Model::voxel_driven) return nullptr;
  if (scan.detector.shape == Detector::Shape::curved) return nullptr;
  const FdkWeights weights = fdk_weights(scan, options.filter);
  if (!filters_on_device(scan, options.filter, weights)) return nullptr;
  BackprojectionPlan plan = plan_backprojection(grid, scan, options.ct);
  if (pipeline_bytes(scan, grid, plan, options) > backend.capabilities().memory_bytes) return nullptr;
  return std::make_unique<Pipeline>(scan, grid, options, std::move(plan), weights);
}

}  // namespace backlit::cuda

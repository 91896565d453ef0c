#include <fmt/format.h>

#include <algorithm>

#include "cuda/fdk/pipeline_base.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t largest_slab = std::int64_t{256} << 20;

class StreamedPipeline final : public PipelineBase {
 public:
  StreamedPipeline(PassClock* passes, const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& options,
                   BackprojectionPlan plan, const FilterTables& tables, const StreamedCuts& cuts)
      : PipelineBase(passes, scan, grid, options, std::move(plan), tables, cuts.resident, true),
        cuts_(cuts),
        written_(static_cast<std::size_t>(slab_count())) {
    for (Slab& slab : slabs_) slab.voxels = DeviceBuffer<float>(cuts.slices * slice());
    BACKLIT_CUDA(cudaDeviceSynchronize());  // tables were uploaded on another stream
  }

  std::string variant() const override {
    return fmt::format("voxel_driven {}, overlapped, volume in slabs of {} slices, {} of {} views at a time",
                       plan_.variant, cuts_.slices, cuts_.resident * channels(plan_.texel),
                       layer_count(plan_) * channels(plan_.texel));
  }

  void begin(std::span<float> volume) override {
    restart(volume);
    first_ = next_ = begun_ = down_ = 0;
  }

  void give(std::int64_t n, std::span<const std::byte* const> views) override {
    require_next(n);
    const Run& layers = feed_.layers(n);
    if (layers.first + layers.count - first_ > cuts_.resident) sweep();
    feed_.give(n, views, textures_, layers.first - first_);
    feed_.ready(n).hold(project_);
    next_ = layers.first + layers.count;
    ++given_;
  }

  const DeviceArray* volume() override { return nullptr; }

  std::int64_t slab_slices() const override { return cuts_.slices; }

  /// The last sweep, as far as it is needed, with the kernels of one slab more.
  void finish_slices(std::int64_t end) override {
    if (next_ == first_) return download_.wait();
    while (down_ < slab_count() && slices_in(down_).first < end) {
      while (begun_ < std::min(slab_count(), down_ + 2)) begin_slab(begun_++);
      download(down_);
      written_[static_cast<std::size_t>(down_++)].wait();
    }
    if (down_ == slab_count()) end_sweep();
  }

  void send_down() override { begun_ > 0 ? finish_slices(slices_.count) : sweep(); }

 private:
  /// One of the two places on the device that slabs of the volume use alternately.
  struct Slab {
    DeviceBuffer<float> voxels;
    Event loaded, done, free;
  };

  std::int64_t slab_count() const { return (slices_.count + cuts_.slices - 1) / cuts_.slices; }
  /// Counted from the pipeline's first slice.
  Run slices_in(std::int64_t slab) const {
    const std::int64_t first = slab * cuts_.slices;
    return {first, std::min(cuts_.slices, slices_.count - first)};
  }
  float* host_slab(std::int64_t slab) const { return host_.data() + slices_in(slab).first * slice(); }
  std::size_t slab_bytes(std::int64_t slab) const {
    return static_cast<std::size_t>(slices_in(slab).count * slice()) * sizeof(float);
  }

  /// Adds the resident layers to the whole volume, slab by slab. A slab's download is enqueued after the next slab's
  /// kernels: copies to memory that is not page-locked block the host, and the device then still has work.
  void sweep() {
    if (next_ == first_) return;
    for (std::int64_t n = 0; n < slab_count(); ++n) {
      begin_slab(n);
      if (n > 0) download(n - 1);
    }
    download(slab_count() - 1);
    end_sweep();
  }

  void begin_slab(std::int64_t n) {
    if (first_ > 0) load(n);
    backproject(n);
  }

  void end_sweep() {
    swept_.record(project_);
    swept_.hold(filter_);  // its textures are free again
    first_ = next_;
    begun_ = down_ = 0;
  }

  void load(std::int64_t n) {
    Slab& slab = slabs_[n % 2];
    slab.free.hold(load_);
    written_[static_cast<std::size_t>(n)].hold(load_);
    clock_.span("upload volume", name_of(slices_in(n)), load_, [&] {
      BACKLIT_CUDA(cudaMemcpyAsync(slab.voxels.data(), host_slab(n), slab_bytes(n), cudaMemcpyHostToDevice, load_));
    });
    slab.loaded.record(load_);
    slab.loaded.hold(project_);
  }

  void backproject(std::int64_t n) {
    Slab& slab = slabs_[n % 2];
    const Run z = slices_in(n);
    slab.free.hold(project_);
    const auto items =
        std::span(items_).subspan(static_cast<std::size_t>(first_), static_cast<std::size_t>(next_ - first_));
    clock_.span("backproject", name_of(slices_in(n)), project_, [&] {
      run_plan(project_, plan_, {textures_, 0, items}, weighted_,
               {slab.voxels.data(), static_cast<int>(columns_), static_cast<int>(rows_), static_cast<int>(z.count),
                static_cast<int>(slices_.first + z.first), first_ > 0});
    });
    slab.done.record(project_);
  }

  void download(std::int64_t n) {
    Slab& slab = slabs_[n % 2];
    slab.done.hold(download_);
    clock_.span("download", name_of(slices_in(n)), download_, [&] {
      BACKLIT_CUDA(cudaMemcpyAsync(host_slab(n), slab.voxels.data(), slab_bytes(n), cudaMemcpyDeviceToHost, download_));
    });
    slab.free.record(download_);
    written_[static_cast<std::size_t>(n)].record(download_);
  }

  StreamedCuts cuts_;
  Stream load_;
  Slab slabs_[2];
  std::vector<Event> written_;  ///< after each slab is on the host again
  Event swept_;
  std::int64_t first_ = 0, next_ = 0;  ///< layers of the plan: the first in the textures, and the one after the last
  std::int64_t begun_ = 0, down_ = 0;  ///< slabs of finish_slices(): whose kernels run, and which are on the host
};

}  // namespace

StreamedCuts streamed_cuts(const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& options,
                           const BackprojectionPlan& plan, std::int64_t memory) {
  const std::int64_t slice = 4 * grid.size[0] * grid.size[1];
  const std::int64_t texel = is_half(plan.texel) ? 2 : 4, per_layer = channels(plan.texel);
  const std::int64_t layer = scan.detector.pixels() * texel * per_layer;
  StreamedCuts cuts;
  cuts.slices =
      std::min(slices_of(grid, options).count, std::max<std::int64_t>(1, std::min(largest_slab, memory / 8) / slice));
  if (cuts.slices > column_voxels) cuts.slices -= cuts.slices % column_voxels;
  const std::int64_t left = memory - ViewFeed::device_bytes(scan, options) - 2 * cuts.slices * slice;
  const std::int64_t most = *std::max_element(options.batches.begin(), options.batches.end());
  const std::int64_t batch = (most + per_layer - 1) / per_layer, all = layer_count(plan);
  const std::int64_t fit = std::min(all, left / layer);
  if (fit < std::min(batch, all)) return cuts;
  // As few passes as possible, of about the same length.
  const std::int64_t passes = (all + fit - 1) / fit, even = (all + passes - 1) / passes;
  cuts.resident = std::min(fit, (even + batch - 1) / batch * batch);
  return cuts;
}

std::unique_ptr<FdkPipeline> make_streamed_pipeline(PassClock* passes, const Scan& scan, const VolumeGrid& grid,
                                                    const FdkPipelineOptions& options, BackprojectionPlan plan,
                                                    const FilterTables& tables, const StreamedCuts& cuts) {
  return std::make_unique<StreamedPipeline>(passes, scan, grid, options, std::move(plan), tables, cuts);
}

}  // namespace backlit::cuda

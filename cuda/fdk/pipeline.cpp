#include "fdk/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "fdk/view_feed.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t column_voxels = 16;  // no kernel takes more slices at a time

class ResidentPipeline final : public FdkPipeline {
 public:
  ResidentPipeline(PassClock* passes, const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& options,
                   BackprojectionPlan plan, const FdkWeights& weights)
      : columns_(grid.size[0]),
        rows_(grid.size[1]),
        slices_(slices_of(grid, options)),
        weighted_(options.ct.weighting == Weighting::fdk),
        plan_(std::move(plan)),
        filter_(passes, Stream::Priority::high),
        project_(passes),
        feed_(scan, options, plan_, weights, options.filter_beside ? filter_ : project_, clock_),
        textures_(scan.detector.columns, scan.detector.rows, layer_count(plan_), plan_.texel),
        volume_(ArrayShape{columns_, rows_, slices_.count}),
        items_(static_cast<std::size_t>(layer_count(plan_))) {
    std::iota(items_.begin(), items_.end(), 0);
    for (const Run& r : z_slabs(slices_.count, options.slabs, column_voxels)) slabs_.push_back({r, 0, {}});
    BACKLIT_CUDA(cudaDeviceSynchronize());  // tables went up on another stream
  }

  const std::vector<std::vector<std::int64_t>>& batches() const override { return feed_.batches(); }
  std::int64_t view_bytes() const override { return feed_.view_bytes(); }
  std::string variant() const override { return fmt::format("voxel_driven {}, overlapped", plan_.variant); }
  std::span<std::byte> staging(std::int64_t n) override { return feed_.staging(n); }
  void wait_for_staging(std::int64_t n) override { feed_.wait_for_staging(n); }

  void begin(std::span<float> volume) override {
    require_size(volume, volume_.count());
    project_.wait();
    download_.wait();
    host_ = volume;
    given_ = layers_ = 0;
    down_ = false;
    for (Slab& slab : slabs_) slab.in_volume = 0;
    feed_.begin();
  }

  void give(std::int64_t n, std::span<const std::byte* const> views) override {
    if (n != given_) throw Failure("pipeline", fmt::format("batch {} given where {} is due", n, given_));
    const Run& layers = feed_.layers(n);
    feed_.give(n, views, textures_, layers.first);
    feed_.ready(n).hold(project_);
    ++given_;
    down_ = false;
    layers_ = layers.first + layers.count;
    backproject(slabs_.front(), fmt::format("batch {}, {} views", n, views.size()));
  }

  const DeviceArray* volume() override {
    for (Slab& slab : slabs_) backproject(slab, "to be shown");
    project_.wait();
    return &volume_;
  }

  void send_down() override {
    if (std::exchange(down_, true)) return;
    const std::int64_t slice = columns_ * rows_;
    for (Slab& slab : slabs_) {
      const Run& z = slab.slices;
      const std::string name = name_of(z);
      backproject(slab, name);
      slab.done.record(project_);
      slab.done.hold(download_);
      clock_.span("download", name, download_, [&] {
        BACKLIT_CUDA(cudaMemcpyAsync(host_.data() + z.first * slice, volume_.data() + z.first * slice,
                                     static_cast<std::size_t>(z.count * slice) * sizeof(float), cudaMemcpyDeviceToHost,
                                     download_));
      });
    }
  }

  void finish() override {
    send_down();
    download_.wait();
  }

  Faults faults() override { return feed_.faults(); }

  Timeline timeline() override {
    project_.wait();
    download_.wait();
    return clock_.read();
  }

 private:
  struct Slab {
    Run slices;              ///< counted from the first of the pipeline's
    std::int64_t in_volume;  ///< layers that it holds
    Event done;
  };

  std::string name_of(const Run& z) const {
    return fmt::format("slices {} to {}", slices_.first + z.first, slices_.first + z.first + z.count - 1);
  }

  /// Brings a slab up to the layers given so far.
  void backproject(Slab& slab, std::string name) {
    if (slab.in_volume == layers_) return;
    const Run& z = slab.slices;
    const auto items = std::span(items_).subspan(static_cast<std::size_t>(slab.in_volume),
                                                 static_cast<std::size_t>(layers_ - slab.in_volume));
    clock_.span("backproject", std::move(name), project_, [&] {
      run_plan(project_, plan_, {textures_, slab.in_volume, items}, weighted_,
               {volume_.data() + z.first * columns_ * rows_, static_cast<int>(columns_), static_cast<int>(rows_),
                static_cast<int>(z.count), static_cast<int>(slices_.first + z.first), slab.in_volume > 0});
    });
    slab.in_volume = layers_;
  }

  std::int64_t columns_, rows_;  ///< voxels along x and y
  Run slices_;
  bool weighted_;
  BackprojectionPlan plan_;
  Stream filter_, project_, download_;
  DeviceTimeline clock_;
  ViewFeed feed_;
  LayeredTextures textures_;
  CudaArray volume_;
  std::vector<std::int64_t> items_;
  std::vector<Slab> slabs_;
  std::span<float> host_;
  std::int64_t given_ = 0, layers_ = 0;  ///< batches, and layers of the plan
  bool down_ = false;                    ///< all that was given has been sent down
};

std::int64_t texture_bytes(const Scan& scan, const BackprojectionPlan& plan) {
  return scan.view_count() * scan.detector.pixels() * (is_half(plan.texel) ? 2 : 4);
}

/// Updates a second on the card that this was tuned on (docs/methods.md).
double update_rate(const BackprojectionPlan& plan) {
  const auto* orbit = std::get_if<OrbitPlan>(&plan.kernel);
  if (orbit && orbit->fine) return 0.45e12;
  return plan.texel == Texel::rgba16f ? 4e12 : 1e12;
}

/// The first slab is what can be backprojected while views come, at most two thirds. The others are at most an eighth
/// each, so that little is left to bring down when everything is computed.
std::vector<double> default_slabs(std::int64_t view_bytes, std::int64_t views, std::int64_t voxels,
                                  const BackprojectionPlan& plan) {
  constexpr double bus = 50e9;  // bytes a second
  const double coming = static_cast<double>(views * view_bytes) / bus;
  const double work = static_cast<double>(views * voxels) / update_rate(plan);
  const double first = std::clamp(coming / work, 0.1, 2.0 / 3), rest = 1 - first;
  const auto pieces = static_cast<std::size_t>(std::ceil(8 * rest));
  std::vector<double> slabs(1 + pieces, rest / static_cast<double>(pieces));
  slabs.front() = first;
  return slabs;
}

}  // namespace

Run slices_of(const VolumeGrid& grid, const FdkPipelineOptions& options) {
  return options.slice_count > 0 ? Run{options.first_slice, options.slice_count} : Run{0, grid.size[2]};
}

void require_size(std::span<const float> host, std::int64_t voxels) {
  if (static_cast<std::int64_t>(host.size()) != voxels)
    throw Failure("pipeline", fmt::format("a volume of {} values where {} are due", host.size(), voxels));
}

std::unique_ptr<FdkPipeline> make_resident_pipeline(PassClock* passes, const Scan& scan, const VolumeGrid& grid,
                                                    const FdkPipelineOptions& options, BackprojectionPlan plan,
                                                    const FdkWeights& weights) {
  return std::make_unique<ResidentPipeline>(passes, scan, grid, options, std::move(plan), weights);
}

std::unique_ptr<FdkPipeline> make_fdk_pipeline(CudaBackend& backend, const Scan& scan, const VolumeGrid& grid,
                                               const FdkPipelineOptions& asked) {
  FdkPipelineOptions options = asked;
  // Where upload takes longest, what is left after it should be short; where kernels do, they should have much at once.
  if (options.batches.empty())
    options.batches =
        options.counts ? std::vector<std::int64_t>{8, 16, 32, 64, 128} : std::vector<std::int64_t>{8, 16, 24, 32, 64};
  if (options.ct.model != Model::voxel_driven) return nullptr;
  if (options.ct.precision == Precision::exact && !plans_exactly(grid, scan, options.ct)) return nullptr;
  if (scan.detector.shape == Detector::Shape::curved || options.ct.packing == Packing::slices) return nullptr;
  constexpr std::string_view variants[] = {"", "general", "columns", "orbit",
                                           "orbit_fine"};  // those of plan_backprojection()
  if (std::ranges::find(variants, options.ct.variant) == std::end(variants)) return nullptr;
  const FdkWeights weights = fdk_weights(scan, options.filter);
  if (!filters_on_device(scan, options.filter, weights)) return nullptr;
  BackprojectionPlan plan = plan_backprojection(grid, scan, options.ct);
  PassClock* const passes = backend.stream().clock();
  const std::int64_t memory = backend.capabilities().memory_bytes;
  const std::int64_t voxels = slices_of(grid, options).count * grid.size[0] * grid.size[1];
  const std::int64_t all = ViewFeed::device_bytes(scan, options) + texture_bytes(scan, plan) + 4 * voxels;
  if (options.slabs.empty())
    options.slabs = default_slabs(scan.detector.pixels() * (options.counts ? 2 : 4), scan.view_count(), voxels, plan);
  if (all <= memory) return make_resident_pipeline(passes, scan, grid, options, std::move(plan), weights);
  FdkPipelineOptions small = options;  // what raw views take is lost to filtered ones
  if (asked.batches.empty()) small.batches = {8, 16};
  small.filtered_together = std::min<std::int64_t>(8, options.filtered_together);
  const StreamedCuts cuts = streamed_cuts(scan, grid, small, plan, memory);
  if (cuts.resident == 0) return nullptr;
  return make_streamed_pipeline(passes, scan, grid, small, std::move(plan), weights, cuts);
}

}  // namespace backlit::cuda

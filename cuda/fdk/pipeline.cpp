#include "cuda/fdk/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "cuda/device/cuda_backend.hpp"
#include "cuda/device/device_speed.hpp"
#include "cuda/fdk/pipeline_base.hpp"
#include "cuda/voxel_driven/named_kernel.hpp"

namespace backlit::cuda {
namespace {

class ResidentPipeline final : public PipelineBase {
 public:
  ResidentPipeline(PassClock* passes, const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& options,
                   BackprojectionPlan plan, const FilterTables& tables)
      : PipelineBase(passes, scan, grid, options, std::move(plan), tables, 0, options.filter_beside),
        volume_(ArrayShape{columns_, rows_, slices_.count}) {
    for (const Run& r : z_slabs(slices_.count, options.slabs, column_voxels)) slabs_.push_back({r, 0, {}});
    BACKLIT_CUDA(cudaDeviceSynchronize());  // tables were uploaded on another stream
  }

  std::string variant() const override { return fmt::format("voxel_driven {}, overlapped", plan_.variant); }

  void begin(std::span<float> volume) override {
    restart(volume);
    layers_ = 0;
    down_ = false;
    for (Slab& slab : slabs_) slab.in_volume = slab.begun = 0;
  }

  void give(std::int64_t n, std::span<const std::byte* const> views) override {
    require_next(n);
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

  const DeviceArray* begin_volume() override {
    for (Slab& slab : slabs_) {
      if (slab.begun == layers_) continue;
      backproject(slab, name_of(slab.slices));
      slab.done.record(project_);
      slab.begun = layers_;
    }
    return &volume_;
  }
  void finish_slices(std::int64_t end) override {
    begin_volume();
    for (const Slab& slab : slabs_)
      if (slab.slices.first < end) slab.done.wait();
  }

  void send_down() override {
    if (std::exchange(down_, true)) return;
    for (Slab& slab : slabs_) {
      const Run& z = slab.slices;
      const std::string name = name_of(z);
      backproject(slab, name);
      slab.done.record(project_);
      slab.done.hold(download_);
      clock_.span("download", name, download_, [&] {
        BACKLIT_CUDA(cudaMemcpyAsync(host_.data() + z.first * slice(), volume_.data() + z.first * slice(),
                                     static_cast<std::size_t>(z.count * slice()) * sizeof(float),
                                     cudaMemcpyDeviceToHost, download_));
      });
    }
  }

 private:
  struct Slab {
    Run slices;              ///< counted from the pipeline's first slice
    std::int64_t in_volume;  ///< number of layers that are in the volume
    Event done;
    std::int64_t begun = 0;  ///< layers that `done` waits for
  };

  /// Backprojects into a slab the layers given so far.
  void backproject(Slab& slab, std::string name) {
    if (slab.in_volume == layers_) return;
    const Run& z = slab.slices;
    const auto items = std::span(items_).subspan(static_cast<std::size_t>(slab.in_volume),
                                                 static_cast<std::size_t>(layers_ - slab.in_volume));
    clock_.span("backproject", std::move(name), project_, [&] {
      run_plan(project_, plan_, {textures_, slab.in_volume, items}, weighted_,
               {volume_.data() + z.first * slice(), static_cast<int>(columns_), static_cast<int>(rows_),
                static_cast<int>(z.count), static_cast<int>(slices_.first + z.first), slab.in_volume > 0});
    });
    slab.in_volume = layers_;
  }

  CudaArray volume_;
  std::vector<Slab> slabs_;
  std::int64_t layers_ = 0;  ///< layers of the plan given so far
  bool down_ = false;        ///< the volume of all given layers is on the host
};

std::int64_t texture_bytes(const Scan& scan, const BackprojectionPlan& plan) {
  return scan.view_count() * scan.detector.pixels() * (is_half(plan.texel) ? 2 : 4);
}

/// Updates a second of the device: measured fractions of its fetch rate (docs/notebook/fdk-pipeline.md).
double update_rate(const BackprojectionPlan& plan) {
  const auto* orbit = std::get_if<OrbitPlan>(&plan.kernel);
  if (orbit && orbit->exact_weights) return 0.43 * fetch_rate();
  return (plan.texel == Texel::rgba16f ? 4 : 1) * 0.95 * fetch_rate();
}

/// The first slab is the part that can be backprojected while views arrive, at most two thirds. The others are at most
/// an eighth each, so that little is left to download when everything is computed.
std::vector<double> default_slabs(std::int64_t view_bytes, std::int64_t views, std::int64_t voxels,
                                  const BackprojectionPlan& plan) {
  const double coming = static_cast<double>(views * view_bytes) / upload_rate();
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
                                                    const FilterTables& tables) {
  return std::make_unique<ResidentPipeline>(passes, scan, grid, options, std::move(plan), tables);
}

std::unique_ptr<FdkPipeline> make_fdk_pipeline(CudaBackend& backend, const Scan& scan, const VolumeGrid& grid,
                                               const FdkPipelineOptions& asked) {
  FdkPipelineOptions options = asked;
  // Where upload takes longest, the last batches are small, so that little work is left after it. Where kernels do,
  // they get larger batches.
  if (options.batches.empty())
    options.batches =
        options.counts ? std::vector<std::int64_t>{8, 16, 32, 64, 128} : std::vector<std::int64_t>{8, 16, 24, 32, 64};
  if (options.ct.model != Model::voxel_driven) return nullptr;
  require_consistent(options.ct);
  // With overlap, full weights are faster for any slices than filter, backprojection and download one after another.
  if (options.ct.precision == Precision::exact && !can_plan_exactly(grid, scan, options.ct)) return nullptr;
  if (scan.detector.shape == Detector::Shape::curved || options.ct.packing == Packing::slices) return nullptr;
  constexpr std::string_view variants[] = {"", "general", "columns", "orbit",
                                           "orbit_fine"};  // the variants of plan_backprojection()
  if (std::ranges::find(variants, options.ct.variant) == std::end(variants)) return nullptr;
  if (!filters_on_device(scan, options.filter)) return nullptr;
  const FilterTables tables(scan, options.filter);
  if (tables.widening.needed()) return nullptr;
  BackprojectionPlan plan = plan_backprojection(grid, scan, options.ct);
  PassClock* const passes = backend.stream().clock();
  const std::int64_t memory = backend.capabilities().memory_bytes;
  const std::int64_t voxels = slices_of(grid, options).count * grid.size[0] * grid.size[1];
  const std::int64_t all = ViewFeed::device_bytes(scan, options) + texture_bytes(scan, plan) + 4 * voxels;
  if (options.slabs.empty())
    options.slabs = default_slabs(scan.detector.pixels() * (options.counts ? 2 : 4), scan.view_count(), voxels, plan);
  if (all <= memory) return make_resident_pipeline(passes, scan, grid, options, std::move(plan), tables);
  FdkPipelineOptions small = options;  // memory for raw views is not available for filtered ones
  if (asked.batches.empty()) small.batches = {8, 16};
  small.filtered_together = std::min<std::int64_t>(8, options.filtered_together);
  const StreamedCuts cuts = streamed_cuts(scan, grid, small, plan, memory);
  if (cuts.resident == 0) return nullptr;
  return make_streamed_pipeline(passes, scan, grid, small, std::move(plan), tables, cuts);
}

}  // namespace backlit::cuda

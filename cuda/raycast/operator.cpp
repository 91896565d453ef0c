#include <fmt/format.h>

#include <algorithm>

#include <backlit/projectors/require.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/device/texture3d.hpp"
#include "cuda/projectors.hpp"
#include "cuda/raycast/raycast.hpp"
#include "cuda/shared/projected_views.hpp"

namespace backlit::cuda {
namespace {

/// Neighbouring views that a block of rays processes one after the other: from view to view samples move by a few
/// voxels only.
constexpr int views_per_block = 4;

/// Size of the transpose's table: it holds the samples of as many views' rays as fit.
constexpr std::int64_t table_bytes = std::int64_t{128} << 20;

class RaycastOperator final : public LinearOperator {
 public:
  RaycastOperator(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : backend_(backend),
        grid_(grid),
        detector_(scan.detector),
        views_(backend.stream(), grid, scan, views_per_block),
        half_(options.precision == Precision::half),
        step_(static_cast<float>(options.step * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z}))),
        unit_(1, 1, 1, half_ ? Texel::r16f : Texel::r32f) {
    if (options.precision != Precision::exact) texture_ = std::make_unique<Texture3d>(grid.size, half_);
  }

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_.count()); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  /// Hardware filtering rounds the shares of neighbours to 8 bits: such a pair matches to about 1e-3 only.
  bool matched() const override { return !texture_; }
  std::string variant() const override {
    return fmt::format("raycast {}", texture_ ? (half_ ? "r16f" : "r32f") : "exact");
  }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    const RaycastTask task = task_of(views_.task(ours(y).data(), views_.of(rows)));
    const bool accumulate = write == Write::accumulate;
    Stream& stream = backend_.stream();
    if (!texture_) return project_raycast_exact(stream, task, ours(x).data(), accumulate);
    unit_.choose_unit(stream, ours(x).data(), x.count());
    fill_texture3d(stream, ours(x).data(), task.rays.size, texture_->surface(), unit_.unit(), half_);
    project_raycast(stream, task, texture_->texture(), unit_.unit(), accumulate);
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    // The transpose only reads the projections.
    const RaycastTask task = task_of(views_.task(const_cast<float*>(ours(y).data()), views_.of(rows)));
    backproject_raycast(backend_.stream(), task, sample_table(), ours(x).data(), write == Write::accumulate);
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 private:
  RaycastTask task_of(const ProjectionTask& rays) const { return {rays, step_}; }

  /// Allocates the table at first use.
  SampleTable sample_table() {
    const std::int64_t pixels = detector_.pixels(), bytes = pixels * std::int64_t{2 * sizeof(float4)};
    const std::int64_t views = std::clamp<std::int64_t>(table_bytes / bytes, 1, views_.count());
    if (points_.count() == 0) {
      points_ = DeviceBuffer<float4>(views * pixels);
      steps_ = DeviceBuffer<float4>(views * pixels);
    }
    return {static_cast<int>(views), points_.data(), steps_.data()};
  }

  CudaBackend& backend_;
  VolumeGrid grid_;
  Detector detector_;
  ProjectedViews views_;
  bool half_;
  float step_;
  LayeredTextures unit_;  ///< one texel: only its unit is used, the value of a stored 1 in fp16
  std::unique_ptr<Texture3d> texture_;
  DeviceBuffer<float4> points_, steps_;
};

void require_texture(Backend&, const VolumeGrid& grid, const Scan&, const CtOptions& options) {
  int most = 0, device = 0;
  BACKLIT_CUDA(cudaGetDevice(&device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture3DWidth, device));
  if (options.precision != Precision::exact && std::max({grid.size[0], grid.size[1], grid.size[2]}) > most)
    throw Unsupported("volume", fmt::format("3-D textures end at {} voxels a side here", most),
                      "use `precision` exact or a smaller `grid`");
}

}  // namespace

ProjectorInfo raycast_cuda() {
  ProjectorInfo info;
  info.model = Model::raycast;
  info.device = "cuda";
  info.options = {"step"};
  info.require = require_texture;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return std::make_unique<RaycastOperator>(dynamic_cast<CudaBackend&>(backend), grid, scan, options);
  };
  info.variants = [] {
    std::vector<CtOptions> all;
    for (const Precision p : {Precision::exact, Precision::fast, Precision::half})
      all.push_back({Model::raycast, p, Packing::none});
    return all;
  };
  return info;
}

}  // namespace backlit::cuda

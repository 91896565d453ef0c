#include "cuda/joseph/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <backlit/device/unsupported.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/joseph/kernels.hpp"
#include "cuda/projectors.hpp"
#include "cuda/shared/projected_views.hpp"
#include "projectors/joseph/main_axes.hpp"

namespace backlit::cuda {
namespace {

/// A slab this large stays in the L2 cache of a data-centre card while all views pass over it.
constexpr std::int64_t slab_bytes = std::int64_t{40} << 20;

/// More find more of their texels in the L1 cache, until there are too few blocks to go round.
constexpr int views_per_block = 32;

/// For so few views the volume is read where it lies: copying it to textures would take longer than the rays.
constexpr std::int64_t most_views_in_place = 1;

/// The transpose keeps the ways of as many views' rays as fit here.
constexpr std::int64_t way_table_bytes = std::int64_t{128} << 20;

class SliceOperator final : public LinearOperator {
 public:
  SliceOperator(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : backend_(backend),
        grid_(grid),
        detector_(scan.detector),
        views_(backend.stream(), grid, scan, views_per_block),
        half_(options.precision == Precision::half),
        exact_(options.precision == Precision::exact) {
    plan_packing(scan, options);
    for (int axis = 0; axis < 3; ++axis)
      if (!exact_ && uses_stack(axis)) slabs_[axis] = make_slab(axis, half_ ? Texel::r16f : Texel::r32f);
    if (!turns_.groups.empty()) packed_ = make_slab(0, half_ ? Texel::rgba16f : Texel::rgba32f);
  }

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_.count()); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  /// Hardware filtering rounds the shares of neighbours to 8 bits, and packed rays keep to slices along x, where the
  /// transpose has exact shares and each ray's own main axis: such pairs match to about 1e-3 only.
  bool matched() const override { return exact_; }
  bool prefers_whole() const override { return packed_ != nullptr; }
  std::string variant() const override {
    if (exact_ || views_.count() <= most_views_in_place) return "joseph exact";
    const char* const texel = packed_ ? (half_ ? "rgba16f" : "rgba32f") : (half_ ? "r16f" : "r32f");
    return fmt::format("joseph {} {}, single views exact", packed_ ? "orbit stack=view" : "stacks", texel);
  }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    if (write == Write::overwrite) clear(y, rows);
    if (exact_ || subset.count <= most_views_in_place)
      project_exact(backend_.stream(), views_.task(ours(y).data(), views_.of(rows)), ours(x).data());
    else if (packed_ && subset.count == range().n2 && subset.stride == 1)
      forward_packed(ours(x).data(), ours(y).data());
    else
      forward_stacks(ours(x).data(), ours(y).data(), rows);
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    // The transpose only reads the projections.
    const ProjectionTask task = views_.task(const_cast<float*>(ours(y).data()), views_.of(rows));
    backproject_slices(backend_.stream(), task, way_table(), detector_.shape == Detector::Shape::flat, ours(x).data(),
                       write == Write::accumulate);
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 private:
  std::int64_t slab_slices(int axis, Texel texel) const {
    const std::int64_t slice = grid_.voxels() / grid_.size[static_cast<std::size_t>(axis)];
    const std::int64_t bytes = slice * channels(texel) * (is_half(texel) ? 2 : 4);
    return std::clamp<std::int64_t>(
        slab_bytes / bytes, 1, std::min(grid_.size[static_cast<std::size_t>(axis)], LayeredTextures::layers_per_array));
  }
  std::unique_ptr<LayeredTextures> make_slab(int axis, Texel texel) const {
    return std::make_unique<LayeredTextures>(grid_.size[axis == 0 ? 1 : 0], grid_.size[axis == 2 ? 1 : 2],
                                             slab_slices(axis, texel), texel);
  }
  bool uses_stack(int axis) const {
    return std::any_of(views_.all().begin(), views_.all().end(),
                       [&](const ProjectedView& v) { return v.axes >> axis & 1u; });
  }

  /// Made when the transpose is first wanted.
  WayTable way_table() {
    const std::int64_t pixels = detector_.pixels();
    const std::int64_t bytes = pixels * static_cast<std::int64_t>(sizeof(float4) + sizeof(float2));
    const std::int64_t views = std::clamp<std::int64_t>(way_table_bytes / bytes, 1, views_.count());
    if (places_.count() == 0) {
      places_ = DeviceBuffer<float4>(views * pixels);
      lengths_ = DeviceBuffer<float2>(views * pixels);
      if (views_.clipped()) starts_ = DeviceBuffer<float2>(views * pixels);
    }
    return {static_cast<int>(views), places_.data(), lengths_.data(), starts_.data()};
  }

  void plan_packing(const Scan& scan, const CtOptions& options) {
    const bool automatic = options.packing == Packing::automatic && half_;
    if (!automatic && options.packing != Packing::orbit) return;
    if (exact_)
      throw Unsupported("packing orbit", "precision exact interpolates in software", "use --precision fast or half");
    turns_ = find_quarter_turns(scan, grid_);
    if (turns_.refusal.empty() && views_.clipped()) turns_.refusal = "the source lies within the grid";
    if (turns_.refusal.empty())
      if (const std::string steep = steep_view(scan, grid_); !steep.empty()) turns_.refusal = "there is " + steep;
    if (!turns_.refusal.empty() && options.packing == Packing::orbit)
      throw Unsupported("packing orbit", turns_.refusal, "use --packing auto");
    if (!turns_.refusal.empty()) turns_.groups.clear();
  }

  void clear(DeviceArray& y, const SubsetRows& rows) {
    const std::int64_t pixels = detector_.pixels();
    if (rows.count() == y.shape().n2) return backend_.fill(y, 0);
    for (std::int64_t i = 0; i < rows.count(); ++i)
      BACKLIT_CUDA(cudaMemsetAsync(ours(y).data() + rows.slot(i) * pixels, 0,
                                   static_cast<std::size_t>(pixels) * sizeof(float), backend_.stream()));
  }

  void forward_stacks(const float* volume, float* projections, const SubsetRows& rows) {
    std::vector<ProjectedView> all = views_.of(rows);
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<ProjectedView> views;
      std::copy_if(all.begin(), all.end(), std::back_inserter(views),
                   [&](const ProjectedView& v) { return v.axes >> axis & 1u; });
      if (views.empty()) continue;
      LayeredTextures& slab = *slabs_[axis];
      slab.choose_unit(backend_.stream(), volume, grid_.voxels());
      const ProjectionTask task = views_.task(projections, views);
      for_slabs(axis, slab, [&](int first, int count) {
        fill_stack(backend_.stream(), volume, task.size, axis, first, count, slab);
        project_slab(backend_.stream(), task, {slab.texture(0), slab.unit(), axis, first, count});
      });
    }
  }

  void forward_packed(const float* volume, float* projections) {
    std::vector<ProjectedView> groups;
    for (const auto& group : turns_.groups) {
      groups.push_back(views_.all()[static_cast<std::size_t>(group.views[0])]);
      for (std::size_t c = 0; c < 4; ++c) groups.back().slot[c] = group.views[c] * detector_.pixels();
    }
    packed_->choose_unit(backend_.stream(), volume, grid_.voxels());
    const ProjectionTask task = views_.task(projections, groups);
    for_slabs(0, *packed_, [&](int first, int count) {
      fill_orbit_stack(backend_.stream(), volume, task.size[0], task.size[2], first, count, *packed_);
      project_orbit_slab(backend_.stream(), task, {packed_->texture(0), packed_->unit(), 0, first, count});
    });
  }

  template <class F>
  void for_slabs(int axis, const LayeredTextures& slab, F&& f) const {
    const std::int64_t slices = grid_.size[static_cast<std::size_t>(axis)];
    for (std::int64_t first = 0; first < slices; first += slab.layers())
      f(static_cast<int>(first), static_cast<int>(std::min(slab.layers(), slices - first)));
  }

  CudaBackend& backend_;
  VolumeGrid grid_;
  Detector detector_;
  ProjectedViews views_;
  bool half_, exact_;
  QuarterTurns turns_;
  std::unique_ptr<LayeredTextures> slabs_[3], packed_;
  DeviceBuffer<float4> places_;
  DeviceBuffer<float2> lengths_, starts_;
};

}  // namespace

std::unique_ptr<LinearOperator> make_slice_operator(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                    const CtOptions& options) {
  return std::make_unique<SliceOperator>(backend, grid, scan, options);
}

ProjectorInfo joseph_cuda() {
  ProjectorInfo info;
  info.model = Model::joseph;
  info.device = "cuda";
  info.packings = {Packing::automatic, Packing::none, Packing::orbit};
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return make_slice_operator(dynamic_cast<CudaBackend&>(backend), grid, scan, options);
  };
  info.variants = [] {
    std::vector<CtOptions> all;
    for (const Precision p : {Precision::fast, Precision::half})
      for (const Packing packing : {Packing::none, Packing::orbit}) all.push_back({Model::joseph, p, packing});
    all.push_back({Model::joseph, Precision::exact, Packing::none});
    return all;
  };
  return info;
}

}  // namespace backlit::cuda

#include "backproject/ct_operator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backproject/run_plan.hpp"
#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "operator/subset_rows.hpp"
#include "projector/make_view_map.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t texture_share = 8;  // of the budget

/// What both kinds of backprojector have in common.
class Backprojector : public LinearOperator {
 public:
  Backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options, Run slices)
      : backend_(backend),
        made_for_(grid),
        grid_(grid),
        scan_(scan),
        options_(options),
        slices_(slices.count > 0 ? slices : Run{0, grid.size[2]}),
        detector_(scan.detector),
        views_(scan.view_count()),
        weighted_(options.weighting == Weighting::fdk) {}

  ArrayShape domain() const override { return {grid_.size[0], grid_.size[1], slices_.count}; }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return false; }

  /// New maps; textures and tables keep their size.
  bool move_by(const Size3& voxels) override {
    VolumeGrid moved = made_for_;
    for (int a = 0; a < 3; ++a)
      moved.center[a] += made_for_.spacing[a] * static_cast<double>(voxels[static_cast<std::size_t>(a)]);
    if (!plan_for(moved)) return false;
    grid_ = moved;
    return true;
  }

  void forward(const DeviceArray&, DeviceArray&, const Subset&, Write) override {
    throw Unsupported("cuda", "voxel-driven projection has no forward operator here", "use --model slice_interpolated");
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 protected:
  /// Plans for a grid of the same size elsewhere; false, and nothing changed, where that takes another kernel.
  virtual bool plan_for(const VolumeGrid&) = 0;

  VolumeSlab slab(CudaArray& x, bool accumulate) const {
    return {x.data(),
            static_cast<int>(grid_.size[0]),
            static_cast<int>(grid_.size[1]),
            static_cast<int>(slices_.count),
            static_cast<int>(slices_.first),
            accumulate};
  }

  CudaBackend& backend_;
  VolumeGrid made_for_, grid_;
  Scan scan_;
  CtOptions options_;
  Run slices_;
  Detector detector_;
  std::int64_t views_;
  bool weighted_;
};

/// Interpolates linear views in software.
class ExactBackprojector final : public Backprojector {
 public:
  ExactBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                     Run slices)
      : Backprojector(backend, grid, scan, options, slices), table_(views_) {
    ExactBackprojector::plan_for(grid);
  }

  std::string variant() const override { return "voxel_driven exact"; }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    std::vector<ExactView> views;
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      views.push_back(exact_[static_cast<std::size_t>(rows.row(i))]);
      views.back().slot = rows.slot(i) * detector_.pixels();
    }
    BACKLIT_CUDA(cudaMemcpyAsync(table_.data(), views.data(), views.size() * sizeof(ExactView), cudaMemcpyHostToDevice,
                                 backend_.stream()));
    backproject_exact(backend_.stream(), ours(y).data(), static_cast<int>(detector_.columns),
                      static_cast<int>(detector_.rows), table_.data(), static_cast<int>(views.size()), weighted_,
                      slab(ours(x), write == Write::accumulate));
  }

 private:
  bool plan_for(const VolumeGrid& grid) override {
    exact_.clear();
    for (const View& view : scan_.views) {
      const double distance = axis_distance(view);
      const auto map = in_voxels(make_view_map(detector_, view), grid.first_voxel(), grid.spacing);
      exact_.push_back({to_float(map), static_cast<float>(distance * distance), 0});
    }
    return true;
  }

  std::vector<ExactView> exact_;
  DeviceBuffer<ExactView> table_;
};

/// Packs linear views into layered textures, as many at a time as fit, and runs the kernel of the plan over them. Calls
/// for the whole scan use the packed kernel of an orbit plan; subsets, which rarely hold whole groups, the unpacked
/// one.
class TextureBackprojector final : public Backprojector {
 public:
  TextureBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                       Run slices)
      : Backprojector(backend, grid, scan, options, slices),
        plan_(plan_backprojection(grid, scan, options)),
        order_(views_) {
    textures_ = make_textures(plan_);
    if (TextureBackprojector::prefers_whole()) subset_plan_ = unpacked_plan(grid);
  }

  std::string variant() const override { return "voxel_driven " + plan_.variant; }
  bool prefers_whole() const override { return std::holds_alternative<OrbitPlan>(plan_.kernel); }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    if (subset_plan_ && (subset.count < views_ || subset.stride != 1)) {
      if (!subset_textures_) subset_textures_ = make_textures(*subset_plan_);
      run(*subset_plan_, *subset_textures_, y, rows, x, write);
    } else {
      run(plan_, *textures_, y, rows, x, write);
    }
  }

 private:
  BackprojectionPlan unpacked_plan(const VolumeGrid& grid) const {
    CtOptions unpacked = options_;
    unpacked.packing = Packing::none;
    unpacked.variant.clear();
    return plan_backprojection(grid, scan_, unpacked);
  }

  bool plan_for(const VolumeGrid& grid) override {
    BackprojectionPlan moved = plan_backprojection(grid, scan_, options_);
    if (moved.variant != plan_.variant) return false;
    if (subset_plan_) {
      BackprojectionPlan unpacked = unpacked_plan(grid);
      if (unpacked.texel != subset_plan_->texel) return false;
      subset_plan_ = std::move(unpacked);
    }
    plan_ = std::move(moved);
    return true;
  }

  /// Room for all views, or for what an eighth of the budget holds (there are up to two such textures).
  std::unique_ptr<LayeredTextures> make_textures(const BackprojectionPlan& plan) const {
    const std::int64_t layer = detector_.pixels() * channels(plan.texel) * (is_half(plan.texel) ? 2 : 4);
    const std::int64_t fit = std::max<std::int64_t>(1, backend_.capabilities().memory_bytes / texture_share / layer);
    return std::make_unique<LayeredTextures>(detector_.columns, detector_.rows, std::min(layer_count(plan), fit),
                                             plan.texel);
  }

  void run(const BackprojectionPlan& plan, LayeredTextures& textures, const DeviceArray& y, const SubsetRows& rows,
           DeviceArray& x, Write write) {
    std::vector<std::int64_t> items;  // a layer each
    std::vector<int> slots;           // an image of y each, one a channel
    const bool packed = std::holds_alternative<OrbitPlan>(plan.kernel);
    const std::int64_t layers = packed ? layer_count(plan) : rows.count();
    for (std::int64_t n = 0; n < layers; ++n) {
      items.push_back(packed ? n : rows.row(n));
      if (packed)
        for (std::int64_t view : views_of_layer(plan, n)) slots.push_back(static_cast<int>(view));
      else
        slots.push_back(static_cast<int>(rows.slot(n)));
    }
    BACKLIT_CUDA(cudaMemcpyAsync(order_.data(), slots.data(), slots.size() * sizeof(int), cudaMemcpyHostToDevice,
                                 backend_.stream()));
    textures.choose_unit(backend_.stream(), ours(y).data(), y.count());
    VolumeSlab target = slab(ours(x), write == Write::accumulate);
    for (std::int64_t first = 0; first < layers; first += textures.layers()) {
      const std::int64_t count = std::min(textures.layers(), layers - first);
      const int* order = order_.data() + first * channels(textures.texel());
      textures.fill(backend_.stream(), {ours(y).data(), detector_.columns, detector_.pixels(), 1, order}, 0, count);
      const auto part = std::span(items).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
      run_plan(backend_.stream(), plan, {textures, 0, part}, weighted_, target);
      target.accumulate = true;
    }
  }

  BackprojectionPlan plan_;
  DeviceBuffer<int> order_;
  std::unique_ptr<LayeredTextures> textures_;
  std::optional<BackprojectionPlan> subset_plan_;
  std::unique_ptr<LayeredTextures> subset_textures_;
};

}  // namespace

std::int64_t backprojector_bytes(const Scan& scan, const CtOptions& options, std::int64_t memory_bytes) {
  const std::int64_t views = scan.view_count();
  if (options.precision == Precision::exact) return views * static_cast<std::int64_t>(sizeof(ExactView));
  const std::int64_t layer = 4 * scan.detector.pixels() * (options.precision == Precision::half ? 2 : 4);
  return 2 * std::min((views + 3) / 4 * layer, std::max(layer, memory_bytes / texture_share));
}

std::unique_ptr<LinearOperator> make_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                   const CtOptions& options, Run slices) {
  if (options.precision == Precision::exact)
    return std::make_unique<ExactBackprojector>(backend, grid, scan, options, slices);
  return std::make_unique<TextureBackprojector>(backend, grid, scan, options, slices);
}

}  // namespace backlit::cuda

#include "backproject/ct_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "backproject/plan.hpp"
#include "cuda_array.hpp"
#include "cuda_backend.hpp"

namespace backlit::cuda {
namespace {

/// Packs linear views into layered textures, then runs the kernel of the plan over them. Whole-scan calls use the
/// packed kernel of an orbit plan; subsets, which rarely hold whole groups, the unpacked one.
class Backprojector final : public LinearOperator {
 public:
  Backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : backend_(backend),
        grid_(grid),
        detector_(scan.detector),
        views_(scan.view_count()),
        weighted_(options.weighting == Weighting::fdk),
        plan_(plan_backprojection(grid, scan, options)),
        layers_(std::holds_alternative<OrbitPlan>(plan_.kernel) ? views_ / 4 : views_),
        textures_(detector_.columns, detector_.rows, layers_, plan_.texel),
        order_(views_) {
    if (std::holds_alternative<OrbitPlan>(plan_.kernel)) {
      CtOptions unpacked = options;
      unpacked.packing = Packing::none;
      unpacked.variant.clear();
      subset_plan_ = plan_backprojection(grid, scan, unpacked);
    }
  }

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return false; }
  std::string variant() const override { return "voxel_driven " + plan_.variant; }

  void forward(const DeviceArray&, DeviceArray&, const Subset&, Write) override {
    throw Unsupported("cuda", "voxel-driven projection has no forward operator here", "use --model slice_interpolated");
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const bool whole = subset.count == views_ && subset.stride == 1;
    const BackprojectionPlan& plan = whole || !subset_plan_ ? plan_ : *subset_plan_;
    const std::vector<std::int64_t> views = views_of(subset, plan);
    ViewTextures& textures = whole || !subset_plan_ ? textures_ : subset_textures();
    pack(y, subset, views, textures);
    run(plan, views, textures, ours(x), write);
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 private:
  /// The views of a subset in the order of texture layers and channels.
  std::vector<std::int64_t> views_of(const Subset& subset, const BackprojectionPlan& plan) const {
    std::vector<std::int64_t> views;
    if (const auto* orbit = std::get_if<OrbitPlan>(&plan.kernel)) {
      for (const auto& group : orbit->turns.groups) views.insert(views.end(), group.views.begin(), group.views.end());
      return views;
    }
    for (std::int64_t i = 0; i < subset.count; ++i) views.push_back(subset.first + i * subset.stride);
    return views;
  }

  ViewTextures& subset_textures() {
    if (!subset_textures_)
      subset_textures_ =
          std::make_unique<ViewTextures>(detector_.columns, detector_.rows, views_, subset_plan_->texel);
    return *subset_textures_;
  }

  void pack(const DeviceArray& y, const Subset& subset, const std::vector<std::int64_t>& views,
            ViewTextures& textures) {
    const bool compact = y.shape().n2 == subset.count && subset.count != views_;
    if (!compact && y.shape().n2 != views_)
      throw Failure("cuda", fmt::format("{} views passed in for a subset of {}", y.shape().n2, subset.count));
    std::vector<int> order;
    for (std::int64_t view : views)
      order.push_back(static_cast<int>(compact ? (view - subset.first) / subset.stride : view));
    order.resize(static_cast<std::size_t>(views_), order.front());
    BACKLIT_CUDA(cudaMemcpyAsync(order_.data(), order.data(), order_.bytes(), cudaMemcpyHostToDevice, backend_.stream()));
    textures.fill(backend_.stream(), ours(y).data(), y.count(), order_.data());
  }

  void run(const BackprojectionPlan& plan, const std::vector<std::int64_t>& views, const ViewTextures& textures,
           CudaArray& x, Write write) {
    bool accumulate = write == Write::accumulate;
    const auto launch = [&](auto& kernel_views, std::int64_t items, auto&& fill, auto&& start) {
      using Views = std::remove_reference_t<decltype(kernel_views)>;
      for (std::int64_t done = 0; done < items;) {
        const std::int64_t array = done / ViewTextures::layers_per_array;
        const std::int64_t end = std::min(items, (array + 1) * ViewTextures::layers_per_array);
        kernel_views.count = static_cast<int>(std::min<std::int64_t>(end - done, Views::capacity));
        kernel_views.first_layer = static_cast<int>(done - array * ViewTextures::layers_per_array);
        for (int i = 0; i < kernel_views.count; ++i) fill(kernel_views, i, done + i);
        const Sampling sampling{textures.texture(array), textures.unit(), static_cast<float>(detector_.columns),
                                static_cast<float>(detector_.rows), weighted_};
        start(sampling, VolumeSlab{x.data(), static_cast<int>(grid_.size[0]), static_cast<int>(grid_.size[1]),
                                   static_cast<int>(grid_.size[2]), 0, accumulate});
        accumulate = true;
        done += kernel_views.count;
      }
    };
    const auto items = static_cast<std::int64_t>(views.size());
    Stream& stream = backend_.stream();
    if (const auto* p = std::get_if<GeneralPlan>(&plan.kernel)) {
      auto part = std::make_unique<GeneralViews>();
      part->behind = p->behind;
      launch(
          *part, items,
          [&](GeneralViews& v, int i, std::int64_t n) {
            v.view[i] = p->views[static_cast<std::size_t>(views[static_cast<std::size_t>(n)])];
          },
          [&](const Sampling& s, const VolumeSlab& slab) { backproject_general(stream, s, *part, slab); });
    } else if (const auto* c = std::get_if<ColumnPlan>(&plan.kernel)) {
      auto part = std::make_unique<ColumnViews>();
      launch(
          *part, items,
          [&](ColumnViews& v, int i, std::int64_t n) {
            v.view[i] = c->views[static_cast<std::size_t>(views[static_cast<std::size_t>(n)])];
          },
          [&](const Sampling& s, const VolumeSlab& slab) { backproject_columns(stream, s, c->detector, *part, slab); });
    } else {
      const OrbitPlan& orbit = std::get<OrbitPlan>(plan.kernel);
      auto part = std::make_unique<OrbitGroups>();
      launch(
          *part, items / 4,
          [&](OrbitGroups& v, int i, std::int64_t n) {
            const double angle = orbit.turns.groups[static_cast<std::size_t>(n)].angle;
            v.direction[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
          },
          [&](const Sampling& s, const VolumeSlab& slab) { backproject_orbit(stream, s, orbit.scan, *part, slab); });
    }
  }

  CudaBackend& backend_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  bool weighted_;
  BackprojectionPlan plan_;
  std::int64_t layers_;
  ViewTextures textures_;
  DeviceBuffer<int> order_;
  std::optional<BackprojectionPlan> subset_plan_;
  std::unique_ptr<ViewTextures> subset_textures_;
};

}  // namespace

std::unique_ptr<LinearOperator> make_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                   const CtOptions& options) {
  if (options.model != Model::voxel_driven)
    throw Unsupported("cuda", fmt::format("model {} is not offered", name(options.model)), "use voxel_driven");
  if (options.precision == Precision::exact)
    throw Unsupported("cuda", "precision exact is not offered yet", "use fast or half, or --backend cpu");
  return std::make_unique<Backprojector>(backend, grid, scan, options);
}

}  // namespace backlit::cuda

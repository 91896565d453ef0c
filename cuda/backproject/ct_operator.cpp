#include "backproject/ct_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "backproject/plan.hpp"
#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "operator/subset_rows.hpp"
#include "projector/make_view_map.hpp"

namespace backlit::cuda {
namespace {

/// What both kinds of backprojector have in common.
class Backprojector : public LinearOperator {
 public:
  Backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : backend_(backend),
        grid_(grid),
        detector_(scan.detector),
        views_(scan.view_count()),
        weighted_(options.weighting == Weighting::fdk) {}

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return false; }

  void forward(const DeviceArray&, DeviceArray&, const Subset&, Write) override {
    throw Unsupported("cuda", "voxel-driven projection has no forward operator here", "use --model slice_interpolated");
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 protected:
  VolumeSlab whole(CudaArray& x, bool accumulate) const {
    return {
        x.data(),  static_cast<int>(grid_.size[0]), static_cast<int>(grid_.size[1]), static_cast<int>(grid_.size[2]), 0,
        accumulate};
  }

  CudaBackend& backend_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  bool weighted_;
};

/// Interpolates linear views in software.
class ExactBackprojector final : public Backprojector {
 public:
  ExactBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : Backprojector(backend, grid, scan, options), table_(views_) {
    for (const View& view : scan.views) {
      const double distance = axis_distance(view);
      const auto map = in_voxels(make_view_map(scan.detector, view), grid.first_voxel(), grid.spacing);
      exact_.push_back({to_float(map), static_cast<float>(distance * distance), 0});
    }
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
                      whole(ours(x), write == Write::accumulate));
  }

 private:
  std::vector<ExactView> exact_;
  DeviceBuffer<ExactView> table_;
};

/// Packs linear views into layered textures, then runs the kernel of the plan over them. Calls for the whole scan use
/// the packed kernel of an orbit plan; subsets, which rarely hold whole groups, the unpacked one.
class TextureBackprojector final : public Backprojector {
 public:
  TextureBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : Backprojector(backend, grid, scan, options),
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

  std::string variant() const override { return "voxel_driven " + plan_.variant; }
  bool prefers_whole() const override { return std::holds_alternative<OrbitPlan>(plan_.kernel); }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    if (!subset_plan_ || (subset.count == views_ && subset.stride == 1))
      run(plan_, textures_, y, rows, x, write);
    else
      run(*subset_plan_, subset_textures(), y, rows, x, write);
  }

 private:
  LayeredTextures& subset_textures() {
    if (!subset_textures_)
      subset_textures_ =
          std::make_unique<LayeredTextures>(detector_.columns, detector_.rows, views_, subset_plan_->texel);
    return *subset_textures_;
  }

  /// Fills the textures' layers and channels with the images of y at `slots`.
  void pack(const DeviceArray& y, const std::vector<int>& slots, LayeredTextures& textures) {
    BACKLIT_CUDA(cudaMemcpyAsync(order_.data(), slots.data(), slots.size() * sizeof(int), cudaMemcpyHostToDevice,
                                 backend_.stream()));
    textures.fill_views(backend_.stream(), ours(y).data(), y.count(), order_.data(),
                        static_cast<std::int64_t>(slots.size()) / channels(textures.texel()));
  }

  void run(const BackprojectionPlan& plan, LayeredTextures& textures, const DeviceArray& y, const SubsetRows& rows,
           DeviceArray& x, Write write) {
    std::vector<int> slots;
    if (const auto* orbit = std::get_if<OrbitPlan>(&plan.kernel)) {
      for (const auto& group : orbit->turns.groups) slots.insert(slots.end(), group.views.begin(), group.views.end());
    } else {
      for (std::int64_t n = 0; n < rows.count(); ++n) slots.push_back(static_cast<int>(rows.slot(n)));
    }
    pack(y, slots, textures);
    const Launches launches{textures, static_cast<std::int64_t>(slots.size()) / channels(textures.texel()), ours(x),
                            write == Write::accumulate};
    std::visit([&](const auto& kernel) { start(kernel, rows, launches); }, plan.kernel);
  }

  /// What the launches of one call have in common.
  struct Launches {
    const LayeredTextures& textures;
    std::int64_t layers;
    CudaArray& volume;
    bool accumulate;
  };

  /// Splits the layers by arrays and by what a launch's parameters hold; fill(i, layer) sets item i of `part`.
  template <class Part, class Fill, class Start>
  void split(const Launches& l, Part& part, Fill&& fill, Start&& start_kernel) const {
    constexpr std::int64_t per_array = LayeredTextures::layers_per_array;
    for (std::int64_t done = 0; done < l.layers; done += part.count) {
      const std::int64_t array = done / per_array;
      const std::int64_t end = std::min(l.layers, (array + 1) * per_array);
      part.count = static_cast<int>(std::min<std::int64_t>(end - done, Part::capacity));
      part.first_layer = static_cast<int>(done - array * per_array);
      for (int i = 0; i < part.count; ++i) fill(i, done + i);
      start_kernel(Sampling{l.textures.texture(array), l.textures.unit(), static_cast<float>(detector_.columns),
                            static_cast<float>(detector_.rows), weighted_},
                   whole(l.volume, l.accumulate || done > 0));
    }
  }

  void start(const GeneralPlan& plan, const SubsetRows& rows, const Launches& l) const {
    const auto part = std::make_unique<GeneralViews>();
    part->behind = plan.behind;
    split(
        l, *part, [&](int i, std::int64_t n) { part->view[i] = plan.views[static_cast<std::size_t>(rows.row(n))]; },
        [&](const Sampling& s, const VolumeSlab& slab) { backproject_general(backend_.stream(), s, *part, slab); });
  }

  void start(const ColumnPlan& plan, const SubsetRows& rows, const Launches& l) const {
    const auto part = std::make_unique<ColumnViews>();
    split(
        l, *part, [&](int i, std::int64_t n) { part->view[i] = plan.views[static_cast<std::size_t>(rows.row(n))]; },
        [&](const Sampling& s, const VolumeSlab& slab) {
          backproject_columns(backend_.stream(), s, plan.detector, *part, slab);
        });
  }

  void start(const OrbitPlan& plan, const SubsetRows&, const Launches& l) const {
    const auto part = std::make_unique<OrbitGroups>();
    split(
        l, *part,
        [&](int i, std::int64_t n) {
          const double angle = plan.turns.groups[static_cast<std::size_t>(n)].angle;
          part->direction[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
        },
        [&](const Sampling& s, const VolumeSlab& slab) {
          backproject_orbit(backend_.stream(), s, plan.scan, *part, slab);
        });
  }

  BackprojectionPlan plan_;
  std::int64_t layers_;
  LayeredTextures textures_;
  DeviceBuffer<int> order_;
  std::optional<BackprojectionPlan> subset_plan_;
  std::unique_ptr<LayeredTextures> subset_textures_;
};

}  // namespace

std::unique_ptr<LinearOperator> make_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                   const CtOptions& options) {
  if (options.precision == Precision::exact) return std::make_unique<ExactBackprojector>(backend, grid, scan, options);
  return std::make_unique<TextureBackprojector>(backend, grid, scan, options);
}

}  // namespace backlit::cuda

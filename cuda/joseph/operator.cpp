#include "cuda/joseph/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/moves_views.hpp>
#include <backlit/projectors/require.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/joseph/kernels.hpp"
#include "cuda/joseph/transpose.hpp"
#include "cuda/projectors.hpp"
#include "projectors/joseph/main_axes.hpp"

namespace backlit::cuda {
namespace {

/// A slab this large stays in the L2 cache of a data-centre card while all views pass over it.
constexpr std::int64_t slab_bytes = std::int64_t{40} << 20;

/// Rays and sums begin anew in each slab, and copies read 32 neighbours at a time: fewer layers cost more than fetches
/// that miss the L2 cache (1024^3, packed: 283 ms for 720 views with 5 layers, 112 with 32, 143 with 64).
constexpr std::int64_t least_layers = 32;

/// With more views, more texels are found in the L1 cache, until there are too few blocks for the device.
constexpr int views_per_block = 32;

/// For so few views the volume is read in place: copying it to textures would take longer than the rays.
constexpr std::int64_t most_views_in_place = 1;

/// The stack of each view for a packed operator: the first views of groups have slices along x, their turns along y, x
/// and y.
std::vector<int> axes_of(const QuarterTurns& turns, std::int64_t views) {
  std::vector<int> axes(turns.groups.empty() ? 0 : static_cast<std::size_t>(views));
  for (const auto& group : turns.groups)
    for (std::size_t turn = 0; turn < 4; ++turn)
      axes[static_cast<std::size_t>(group.views[turn])] = static_cast<int>(turn & 1);
  return axes;
}

/// Quarter turns where views are packed; no groups otherwise. Throws Unsupported where packing was asked for and is not
/// possible.
QuarterTurns plan_packing(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const bool half = options.precision == Precision::half, asked = options.packing == Packing::orbit;
  if (!asked && !(options.packing == Packing::automatic && half)) return {};
  if (options.precision == Precision::exact)
    throw Unsupported("packing orbit", "precision exact interpolates in software", "use `precision` fast or half");
  QuarterTurns turns = find_quarter_turns(scan, grid);
  if (turns.refusal.empty() && source_inside(scan, grid)) turns.refusal = "the source lies within the grid";
  if (turns.refusal.empty())
    if (const std::string steep = steep_view(scan, grid); !steep.empty()) turns.refusal = "there is " + steep;
  if (!turns.refusal.empty() && asked) throw Unsupported("packing orbit", turns.refusal, "use `packing` auto");
  if (!turns.refusal.empty()) turns.groups.clear();
  return turns;
}

class SliceOperator final : public LinearOperator, public MovesViews {
 public:
  SliceOperator(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : backend_(backend),
        grid_(grid),
        detector_(scan.detector),
        half_(options.precision == Precision::half),
        exact_(options.precision == Precision::exact),
        turns_(plan_packing(grid, scan, options)),
        axes_(axes_of(turns_, scan.view_count())),
        views_(backend.stream(), grid, scan, views_per_block, axes_),
        transpose_(backend.stream(), grid, scan, views_, axes_) {
    make_slabs();
    if (turns_.groups.empty()) return;
    packed_ = make_slab(0, half_ ? Texel::rgba16f : Texel::rgba32f);
    groups_.resize(static_cast<std::size_t>(scan.view_count()));
    for (std::size_t g = 0; g < turns_.groups.size(); ++g)
      for (std::size_t turn = 0; turn < 4; ++turn)
        groups_[static_cast<std::size_t>(turns_.groups[g].views[turn])] = {g, turn};
  }

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_.count()); }
  /// Packed views must stay on quarter turns: such operators are made again.
  bool place(const Scan& scan) override {
    if (packed_ || scan.view_count() != views_.count() || shape_of(scan.detector, 1) != shape_of(detector_, 1))
      return false;
    detector_ = scan.detector;
    views_.place(scan);
    transpose_.place(scan);
    return true;
  }

  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  /// Hardware filtering rounds the shares of neighbours to 8 bits, and packed views are kept in fp16, but the transpose
  /// has exact shares: such pairs match to about 1e-5 and 1e-4 only.
  bool matched() const override { return exact_; }
  /// Each call copies the volume into stacks.
  bool prefers_whole() const override { return true; }
  std::string variant() const override {
    const std::string transposed = packs_transpose() ? "transposed by quarter turns" : transpose_.variant();
    if (views_.count() <= most_views_in_place) return "joseph exact, " + transposed;
    if (exact_) return "joseph stacks r32f exact, " + transposed;
    const char* const texel = packed_ ? (half_ ? "rgba16f" : "rgba32f") : (half_ ? "r16f" : "r32f");
    return fmt::format("joseph {} {}, {}", packed_ ? "orbit stack=view" : "stacks", texel, transposed);
  }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    if (write == Write::overwrite) clear(y, rows);
    if (subset.count <= most_views_in_place)
      project_exact(backend_.stream(), views_.task(ours(y).data(), views_.of(rows)), ours(x).data());
    else if (const Groups groups = groups_of(rows); !groups.views.empty())
      forward_packed(ours(x).data(), ours(y).data(), groups);
    else
      forward_stacks(ours(x).data(), ours(y).data(), rows);
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    const bool accumulate = write == Write::accumulate;
    if (const Groups groups = packs_transpose() ? groups_of(rows) : Groups{}; !groups.views.empty())
      transpose_.back_packed(ours(y).data(), y.count(), groups.views, groups.first, ours(x).data(), accumulate);
    else
      transpose_.back(ours(y).data(), rows, ours(x).data(), accumulate);
  }

  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& subset) override {
    return transpose_.relax(ours(y).data(), SubsetRows(range(), subset, y.shape()), ours(x).data(), factor, least);
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
    return std::min({std::max(slab_bytes / bytes, least_layers), grid_.size[static_cast<std::size_t>(axis)],
                     std::int64_t{LayeredTextures::layers_per_array}});
  }
  std::unique_ptr<LayeredTextures> make_slab(int axis, Texel texel) const {
    return std::make_unique<LayeredTextures>(grid_.size[axis == 0 ? 1 : 0], grid_.size[axis == 2 ? 1 : 2],
                                             slab_slices(axis, texel), texel);
  }
  void make_slabs() {
    for (int axis = 0; axis < 3; ++axis)
      if (!slabs_[axis] && uses_stack(axis)) slabs_[axis] = make_slab(axis, half_ ? Texel::r16f : Texel::r32f);
  }
  bool uses_stack(int axis) const {
    return std::any_of(views_.all().begin(), views_.all().end(),
                       [&](const ProjectedView& v) { return v.axes >> axis & 1u; });
  }

  /// Packed copies are faster in fp16 only: a fetch of RGBA32F costs as much as four of R32F.
  bool packs_transpose() const { return packed_ && half_; }

  /// Groups of quarter turns in the form that the kernels read.
  struct Groups {
    std::vector<ProjectedView> views;  ///< first view of each group, with the slots of all four
    std::vector<int> first;            ///< its scan index
  };
  /// The groups of the rows; none when some view lacks a partner.
  Groups groups_of(const SubsetRows& rows) const {
    Groups groups;
    if (!packed_ || rows.count() % 4 != 0) return groups;
    std::vector<std::int64_t> place(turns_.groups.size(), -1);  // in `groups`
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      const auto [group, turn] = groups_[static_cast<std::size_t>(rows.row(i))];
      if (place[group] < 0) {
        place[group] = std::ssize(groups.views);
        const std::int64_t first = turns_.groups[group].views[0];
        groups.first.push_back(static_cast<int>(first));
        groups.views.push_back(views_.all()[static_cast<std::size_t>(first)]);
      }
      groups.views[static_cast<std::size_t>(place[group])].slot[turn] = rows.slot(i) * detector_.pixels();
    }
    return 4 * std::ssize(groups.views) == rows.count() ? groups : Groups{};
  }

  void clear(DeviceArray& y, const SubsetRows& rows) {
    const std::int64_t pixels = detector_.pixels();
    if (rows.count() == y.shape().n2) return backend_.fill(y, 0);
    for (std::int64_t i = 0; i < rows.count(); ++i)
      BACKLIT_CUDA(cudaMemsetAsync(ours(y).data() + rows.slot(i) * pixels, 0,
                                   static_cast<std::size_t>(pixels) * sizeof(float), backend_.stream()));
  }

  void forward_stacks(const float* volume, float* projections, const SubsetRows& rows) {
    make_slabs();
    std::vector<ProjectedView> all = views_.of(rows);
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<ProjectedView> views;
      std::copy_if(all.begin(), all.end(), std::back_inserter(views),
                   [&](const ProjectedView& v) { return v.axes >> axis & 1u; });
      if (views.empty()) continue;
      LayeredTextures& slab = *slabs_[axis];
      const auto run = exact_ ? project_slab_exactly : project_slab;
      slab.choose_unit(backend_.stream(), volume, grid_.voxels());
      const ProjectionTask task = views_.task(projections, views, 1 + static_cast<std::size_t>(axis));
      for_slabs(axis, slab, [&](int first, int count) {
        fill_stack(backend_.stream(), volume, task.size, axis, first, count, slab);
        run(backend_.stream(), task, {slab.texture(0), slab.unit(), axis, first, count});
      });
    }
  }

  void forward_packed(const float* volume, float* projections, const Groups& groups) {
    packed_->choose_unit(backend_.stream(), volume, grid_.voxels());
    const ProjectionTask task = views_.task(projections, groups.views, 1);
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
  bool half_, exact_;
  QuarterTurns turns_;
  std::vector<int> axes_;  ///< [view] its stack; packed operators only
  ProjectedViews views_;
  Transpose transpose_;
  std::unique_ptr<LayeredTextures> slabs_[3], packed_;
  struct Member {
    std::size_t group, turn;
  };
  std::vector<Member> groups_;  ///< [view]; packed operators only
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
  info.require = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    plan_packing(grid, scan, options);
  };
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

#include "cuda/voxel_driven/ct_operator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/projectors/require.hpp>
#include "cuda/projectors.hpp"
#include "cuda/voxel_driven/backprojector.hpp"
#include "cuda/voxel_driven/maps.hpp"
#include "cuda/voxel_driven/named_kernel.hpp"
#include "cuda/voxel_driven/run_plan.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t texture_share = 8;  // an eighth of the budget

/// Interpolates linear views in software.
class ExactBackprojector final : public Backprojector {
 public:
  using Backprojector::Backprojector;

  std::string variant() const override { return "voxel_driven exact"; }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    backproject_exact(backend_.stream(), ours(y).data(), table().upload(backend_.stream(), rows), weighted_,
                      slab(ours(x), write == Write::accumulate));
  }
};

/// Packs linear views into layered textures, as many at a time as fit, and runs the kernel of the plan over them. Calls
/// for the whole scan use the packed kernel of an orbit plan. Subsets rarely hold whole groups, so they use an unpacked
/// operator of the same precision.
class TextureBackprojector final : public Backprojector {
 public:
  TextureBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                       BackprojectionPlan plan)
      : Backprojector(backend, grid, scan, options),
        plan_(std::move(plan)),
        textures_(detector_.columns, detector_.rows, room(), plan_.texel),
        order_(views_) {}

  std::string variant() const override { return "voxel_driven " + plan_.variant; }
  bool prefers_whole() const override { return std::holds_alternative<OrbitPlan>(plan_.kernel); }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    if (prefers_whole() && (subset.count < views_ || subset.stride != 1)) {
      if (!subsets_) subsets_ = unpacked();
      return subsets_->back(y, x, subset, write);
    }
    run(y, SubsetRows(range(), subset, y.shape()), x, write);
  }

 private:
  std::unique_ptr<Backprojector> unpacked() const {
    CtOptions options = options_;
    options.packing = Packing::none;
    options.variant.clear();
    if (options.precision == Precision::exact || options_.variant == "orbit_fine")
      return std::make_unique<ExactBackprojector>(backend_, grid_, scan_, options);
    return std::make_unique<TextureBackprojector>(backend_, grid_, scan_, options,
                                                  plan_backprojection(grid_, scan_, options));
  }

  /// Layers for all views, or for as many as an eighth of the budget holds (there may also be an operator for subsets).
  std::int64_t room() const {
    const std::int64_t layer = detector_.pixels() * channels(plan_.texel) * (is_half(plan_.texel) ? 2 : 4);
    const std::int64_t fit = std::max<std::int64_t>(1, backend_.capabilities().memory_bytes / texture_share / layer);
    return std::min(layer_count(plan_), fit);
  }

  void run(const DeviceArray& y, const SubsetRows& rows, DeviceArray& x, Write write) {
    std::vector<std::int64_t> items;  // one per layer
    std::vector<int> slots;           // images of y, one per channel
    const bool packed = prefers_whole();
    const std::int64_t layers = packed ? layer_count(plan_) : rows.count();
    for (std::int64_t n = 0; n < layers; ++n) {
      items.push_back(packed ? n : rows.row(n));
      if (packed)
        for (std::int64_t view : views_of_layer(plan_, n)) slots.push_back(static_cast<int>(view));
      else
        slots.push_back(static_cast<int>(rows.slot(n)));
    }
    BACKLIT_CUDA(cudaMemcpyAsync(order_.data(), slots.data(), slots.size() * sizeof(int), cudaMemcpyHostToDevice,
                                 backend_.stream()));
    textures_.choose_unit(backend_.stream(), ours(y).data(), y.count());
    VolumeSlab target = slab(ours(x), write == Write::accumulate);
    for (std::int64_t first = 0; first < layers; first += textures_.layers()) {
      const std::int64_t count = std::min(textures_.layers(), layers - first);
      const int* order = order_.data() + first * channels(textures_.texel());
      textures_.fill(backend_.stream(), {ours(y).data(), detector_.columns, detector_.pixels(), order}, 0, count);
      const auto part = std::span(items).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
      run_plan(backend_.stream(), plan_, {textures_, 0, part}, weighted_, target);
      target.accumulate = true;
    }
  }

  BackprojectionPlan plan_;
  LayeredTextures textures_;
  DeviceBuffer<int> order_;
  std::unique_ptr<Backprojector> subsets_;
};

}  // namespace

std::int64_t backprojector_bytes(const Scan& scan, const CtOptions& options, std::int64_t memory_bytes) {
  const std::int64_t views = scan.view_count();
  const std::int64_t layer = 4 * scan.detector.pixels() * (options.precision == Precision::half ? 2 : 4);
  return 2 * std::min((views + 3) / 4 * layer, std::max(layer, memory_bytes / texture_share));
}

namespace {

/// The method for backprojecting a scan. Plans serve flat detectors, and curved ones that are focused and untilted;
/// maps serve the others.
struct Choice {
  enum class Kind { exact, textures, maps };
  Kind kind = Kind::exact;
  BackprojectionPlan plan{};  ///< for textures
};

/// Throws Unsupported for a choice that was asked for by name and is not possible.
Choice choose(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  require_consistent(options);
  if (options.variant == "maps") return {Choice::Kind::maps};
  if (options.variant == "exact" || (options.precision == Precision::exact && !plans_exactly(grid, scan, options)))
    return {Choice::Kind::exact};
  try {
    return {Choice::Kind::textures, plan_backprojection(grid, scan, options)};
  } catch (const Unsupported&) {
    const bool free = options.variant.empty() && options.packing != Packing::orbit;
    if (!free || scan.detector.shape != Detector::Shape::curved) throw;
    return {Choice::Kind::maps};
  }
}

}  // namespace

std::unique_ptr<LinearOperator> make_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                   const CtOptions& options) {
  Choice choice = choose(grid, scan, options);
  if (choice.kind == Choice::Kind::maps) return make_map_backprojector(backend, grid, scan, options);
  if (choice.kind == Choice::Kind::exact) return std::make_unique<ExactBackprojector>(backend, grid, scan, options);
  return make_planned_backprojector(backend, grid, scan, options, std::move(choice.plan));
}

std::unique_ptr<LinearOperator> make_planned_backprojector(CudaBackend& backend, const VolumeGrid& grid,
                                                           const Scan& scan, const CtOptions& options,
                                                           BackprojectionPlan plan) {
  return std::make_unique<TextureBackprojector>(backend, grid, scan, options, std::move(plan));
}

namespace {

std::vector<CtOptions> variants() {
  std::vector<CtOptions> all;
  const auto add = [&](Precision precision, Packing packing, const char* kernel) {
    all.push_back({Model::voxel_driven, precision, packing, Weighting::none, kernel});
  };
  for (const Precision p : {Precision::fast, Precision::half}) {
    add(p, Packing::orbit, "orbit");
    for (const char* kernel : {"columns", "general", "maps"}) add(p, Packing::none, kernel);
    add(p, Packing::orbit, "orbit_fine");
  }
  add(Precision::exact, Packing::none, "");
  return all;
}

}  // namespace

ProjectorInfo voxel_driven_cuda() {
  ProjectorInfo info;
  info.model = Model::voxel_driven;
  info.device = "cuda";
  info.packings = {Packing::automatic, Packing::none, Packing::orbit};
  info.fdk_weights = true;
  info.require = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    choose(grid, scan, options);
  };
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return make_backprojector(dynamic_cast<CudaBackend&>(backend), grid, scan, options);
  };
  info.bytes = [](const Backend& backend, const VolumeGrid&, const Scan& scan, const CtOptions& options, std::int64_t) {
    return backprojector_bytes(scan, options, backend.capabilities().memory_bytes);
  };
  info.variants = variants;
  info.knows = [](const std::string& name) { return std::ranges::find(kernel_names(), name) != kernel_names().end(); };
  return info;
}

}  // namespace backlit::cuda

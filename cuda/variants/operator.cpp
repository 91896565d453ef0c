#include "variants/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "backproject/plan.hpp"
#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "operator/subset_rows.hpp"
#include "projector/make_view_map.hpp"
#include "variants/kernels.hpp"

namespace backlit::cuda {
namespace {

struct NamedPart {
  const char* suffix;
  Part part;
};
constexpr NamedPart parts[] = {{"", Part::full}, {",no_fetch", Part::no_fetch}, {",instructions", Part::instructions}};

/// What a name stands for: a kernel of the course, or one of Zinsser and Keck's and what it leaves out.
struct Choice {
  std::string course;
  std::optional<ZinsserKernel> zinsser;
  Part part = Part::full;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Choice choice_of(std::string name) {
  if (contains(course_kernels(), name)) return {name, {}, Part::full};
  if (name == "kernel_a") name = "kernel_a,i64,k8";
  if (name == "kernel_b") name = "kernel_b,i64,k16";
  for (const ZinsserKernel& k : zinsser_kernels())
    for (const NamedPart& p : parts)
      if (name == std::string(k.name) + p.suffix) return {"", k, p.part};
  throw Unsupported("variant", fmt::format("'{}' is no backprojection kernel", name), "use general");
}

/// What backprojectors chosen by name have in common.
class NamedBackprojector : public LinearOperator {
 public:
  NamedBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : backend_(backend),
        grid_(grid),
        detector_(scan.detector),
        views_(scan.view_count()),
        name_(options.variant),
        weighted_(options.weighting == Weighting::fdk) {}

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return false; }
  std::string variant() const override { return "voxel_driven " + name_; }

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
    const auto [nx, ny, nz] = grid_.size;
    return {x.data(), static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(nz), 0, accumulate};
  }
  Sampling sampling(const LayeredTextures& textures, std::int64_t layer) const {
    return {textures.texture(layer / LayeredTextures::layers_per_array), textures.unit(),
            static_cast<float>(detector_.columns), static_cast<float>(detector_.rows), weighted_};
  }
  void upload(const std::vector<int>& from, DeviceBuffer<int>& to) const {
    BACKLIT_CUDA(
        cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice, backend_.stream()));
  }

  CudaBackend& backend_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  std::string name_;
  bool weighted_;
};

/// Any flat views, one after the other or some a pass.
class StudyBackprojector final : public NamedBackprojector {
 public:
  StudyBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : NamedBackprojector(backend, grid, scan, options),
        choice_(choice_of(options.variant)),
        textures_(detector_.columns, detector_.rows, views_,
                  options.precision == Precision::half ? Texel::r16f : Texel::r32f),
        slots_(views_) {
    if (options.precision == Precision::exact || (options.precision == Precision::half && !fetches()))
      throw Unsupported("variant", fmt::format("{} has one precision, fp32", name_), "use --precision fast");
    CtOptions general = options;
    general.variant = "general";
    general.packing = Packing::none;
    plan_ = std::get<GeneralPlan>(plan_backprojection(grid, scan, general).kernel);
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    std::vector<int> slots;
    for (std::int64_t n = 0; n < rows.count(); ++n) slots.push_back(static_cast<int>(rows.slot(n)));
    upload(slots, slots_);
    if (fetches()) textures_.fill_views(backend_.stream(), ours(y).data(), y.count(), slots_.data(), rows.count());
    GeneralViews part{};
    for (std::int64_t done = 0; done < rows.count(); done += part.count) {
      part.count = static_cast<int>(std::min(views_per_pass(done), rows.count() - done));
      part.first_layer = static_cast<int>(done % LayeredTextures::layers_per_array);
      for (int i = 0; i < part.count; ++i) part.view[i] = plan_.views[static_cast<std::size_t>(rows.row(done + i))];
      start({sampling(textures_, done), whole(ours(x), write == Write::accumulate || done > 0), ours(y).data(),
             slots_.data() + done},
            part);
    }
  }

 private:
  bool fetches() const { return choice_.course != "global" && choice_.course != "shared_projection"; }

  /// A pass ends where an array of textures does.
  std::int64_t views_per_pass(std::int64_t done) const {
    constexpr std::int64_t layers = LayeredTextures::layers_per_array;
    const std::int64_t most = choice_.zinsser ? choice_.zinsser->views : GeneralViews::capacity;
    return std::min(most, layers - done % layers);
  }

  void start(const StudyLaunch& launch, const GeneralViews& views) {
    if (choice_.zinsser)
      backproject_zinsser(backend_.stream(), *choice_.zinsser, choice_.part, launch, views);
    else
      backproject_course(backend_.stream(), choice_.course, launch, views);
  }

  Choice choice_;
  LayeredTextures textures_;
  DeviceBuffer<int> slots_;
  GeneralPlan plan_;
};

/// Any views of any detector.
class MapBackprojector final : public NamedBackprojector {
 public:
  MapBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : NamedBackprojector(backend, grid, scan, options),
        textures_(detector_.columns, detector_.rows, views_,
                  options.precision == Precision::half ? Texel::r16f : Texel::r32f),
        slots_(views_),
        table_(views_) {
    if (options.precision == Precision::exact) throw Unsupported("variant", "maps filters in hardware", "leave it out");
    for (const View& view : scan.views) {
      const double distance = axis_distance(view);
      const auto map = in_voxels(make_view_map(scan.detector, view), grid.first_voxel(), grid.spacing);
      maps_.push_back({to_float(map), static_cast<float>(distance * distance), 0});
    }
  }
  std::string variant() const override {
    return textures_.texel() == Texel::r16f ? "voxel_driven maps r16f" : "voxel_driven maps r32f";
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    std::vector<int> slots;
    std::vector<ExactView> views;
    for (std::int64_t n = 0; n < rows.count(); ++n) {
      slots.push_back(static_cast<int>(rows.slot(n)));
      views.push_back(maps_[static_cast<std::size_t>(rows.row(n))]);
    }
    upload(slots, slots_);
    BACKLIT_CUDA(cudaMemcpyAsync(table_.data(), views.data(), views.size() * sizeof(ExactView), cudaMemcpyHostToDevice,
                                 backend_.stream()));
    textures_.fill_views(backend_.stream(), ours(y).data(), y.count(), slots_.data(), rows.count());
    constexpr std::int64_t layers = LayeredTextures::layers_per_array;
    for (std::int64_t done = 0; done < rows.count(); done += layers)
      backproject_maps(backend_.stream(), sampling(textures_, done), table_.data() + done,
                       static_cast<int>(std::min(layers, rows.count() - done)), 0,
                       whole(ours(x), write == Write::accumulate || done > 0));
  }

 private:
  LayeredTextures textures_;
  DeviceBuffer<int> slots_;
  std::vector<ExactView> maps_;
  DeviceBuffer<ExactView> table_;
};

/// Whole scans that can be packed by quarter turns, with whole weights.
class FineBackprojector final : public NamedBackprojector {
 public:
  FineBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : NamedBackprojector(backend, grid, scan, options),
        plan_(orbit_plan(grid, scan, options)),
        textures_(detector_.columns, detector_.rows, views_ / 4,
                  options.precision == Precision::half ? Texel::rgba16f : Texel::rgba32f),
        slots_(views_) {
    const double reach = std::sqrt(0.5) * grid.spacing.x * static_cast<double>(grid.size[0]);
    if (plan_.scan.parallel || !(plan_.scan.rows > 0) ||
        plan_.scan.rows * plan_.scan.z[0] > plan_.scan.distance - reach)
      throw Unsupported("variant", fmt::format("{} takes cone beams whose voxels are no taller than a pixel", name_),
                        "use orbit");
  }
  bool prefers_whole() const override { return true; }
  std::string variant() const override {
    return textures_.texel() == Texel::rgba16f ? "voxel_driven orbit_fine rgba16f" : "voxel_driven orbit_fine rgba32f";
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    if (subset.count != views_) throw Unsupported("variant", name_ + " takes whole scans only", "use orbit");
    std::vector<int> slots;
    for (const auto& group : plan_.turns.groups) slots.insert(slots.end(), group.views.begin(), group.views.end());
    upload(slots, slots_);
    textures_.fill_views(backend_.stream(), ours(y).data(), y.count(), slots_.data(), views_ / 4);
    OrbitGroups part{};
    for (std::int64_t done = 0; done < views_ / 4; done += part.count) {
      part.count = static_cast<int>(std::min<std::int64_t>(views_ / 4 - done, OrbitGroups::capacity));
      part.first_layer = 0;
      for (int i = 0; i < part.count; ++i) {
        const double angle = plan_.turns.groups[static_cast<std::size_t>(done + i)].angle;
        part.direction[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
      }
      backproject_orbit_fine(backend_.stream(), sampling(textures_, done), plan_.scan, part,
                             whole(ours(x), write == Write::accumulate || done > 0));
    }
  }

 private:
  static_assert(OrbitGroups::capacity == LayeredTextures::layers_per_array);

  static OrbitPlan orbit_plan(const VolumeGrid& grid, const Scan& scan, CtOptions options) {
    options.variant = "orbit";
    return std::get<OrbitPlan>(plan_backprojection(grid, scan, options).kernel);
  }

  OrbitPlan plan_;
  LayeredTextures textures_;
  DeviceBuffer<int> slots_;
};

}  // namespace

const std::vector<std::string>& study_variants() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = course_kernels();
    all.insert(all.end(), {"maps", "orbit_fine", "kernel_a", "kernel_b"});
    for (const ZinsserKernel& k : zinsser_kernels())
      for (const NamedPart& p : parts) all.push_back(std::string(k.name) + p.suffix);
    return all;
  }();
  return names;
}

bool is_study_variant(const std::string& name) { return contains(study_variants(), name); }

std::unique_ptr<LinearOperator> make_study_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                         const CtOptions& options) {
  if (options.variant == "maps") return std::make_unique<MapBackprojector>(backend, grid, scan, options);
  if (options.variant == "orbit_fine") return std::make_unique<FineBackprojector>(backend, grid, scan, options);
  return std::make_unique<StudyBackprojector>(backend, grid, scan, options);
}

}  // namespace backlit::cuda

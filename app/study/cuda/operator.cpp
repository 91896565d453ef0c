#include "study/cuda/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cuda/voxel_driven/maps.hpp"
#include "cuda/voxel_driven/named_kernel.hpp"
#include "cuda/voxel_driven/plan.hpp"
#include "study/cuda/kernels.hpp"
#include "study/cuda/orbit_mma.hpp"
#include "study/cuda/orbit_rows.hpp"

namespace backlit::cuda {
namespace {

struct NamedPart {
  const char* suffix;
  Part part;
};
constexpr NamedPart parts[] = {{"", Part::full}, {",no_fetch", Part::no_fetch}, {",instructions", Part::instructions}};

/// Meaning of a name: a kernel of the course, or one of Zinsser and Keck's and the parts that it leaves out.
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

/// Backprojects any flat views, one after the other or several in a pass.
class StudyBackprojector final : public LayeredBackprojector {
 public:
  StudyBackprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options)
      : LayeredBackprojector(backend, grid, scan, options),
        choice_(choice_of(options.variant)),
        textures_(detector_.columns, detector_.rows, views_,
                  options.precision == Precision::half ? Texel::r16f : Texel::r32f),
        slots_(views_) {
    CtOptions general = options;
    general.variant = "general";
    general.packing = Packing::none;
    plan_ = std::get<GeneralPlan>(plan_backprojection(grid, scan, general).kernel);
  }

  std::string variant() const override {
    return fmt::format("voxel_driven {}{}", options_.variant, textures_.texel() == Texel::r16f ? " r16f" : "");
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
      start({sampling(textures_, done), slab(ours(x), write == Write::accumulate || done > 0), ours(y).data(),
             slots_.data() + done},
            part);
    }
  }

 private:
  bool fetches() const { return choice_.zinsser || study_kernel(choice_.course).half; }

  /// A pass ends at the end of an array of textures.
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

}  // namespace

const std::vector<std::string>& study_variants() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = course_kernels();
    all.insert(all.end(), {"orbit_mma", "orbit_rows", "kernel_a", "kernel_b"});
    for (const ZinsserKernel& k : zinsser_kernels())
      for (const NamedPart& p : parts) all.push_back(std::string(k.name) + p.suffix);
    return all;
  }();
  return names;
}

bool is_study_variant(const std::string& name) { return contains(study_variants(), name); }

NamedKernel study_kernel(const std::string& name) {
  if (name == "global" || name == "shared_projection") return {"", false, false, false};
  if (name == "orbit_mma") return {"orbit_mma", true, false, true, false};
  if (name == "orbit_rows") return {"orbit_rows", true, true, true};
  return {"", false, true, true};
}

std::unique_ptr<LinearOperator> make_study_backprojector(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                                         const CtOptions& options) {
  require_consistent(options, study_kernel(options.variant));
  if (options.variant == "orbit_mma") return make_line_backprojector(backend, grid, scan, options);
  if (options.variant == "orbit_rows") return make_row_backprojector(backend, grid, scan, options);
  return std::make_unique<StudyBackprojector>(backend, grid, scan, options);
}

}  // namespace backlit::cuda

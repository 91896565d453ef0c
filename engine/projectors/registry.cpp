// The list of projectors, and the parts of Backend that look things up in it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/device/unsupported.hpp>
#include <backlit/projectors/projector.hpp>
#include "projectors/list.hpp"

namespace backlit {
namespace {

/// A deque: pointers to entries stay valid as others are added.
std::deque<ProjectorInfo>& registry() {
  static std::deque<ProjectorInfo> all{
#define BACKLIT_ENTRY(projector) projector(),
      BACKLIT_PROJECTORS(BACKLIT_ENTRY)
#undef BACKLIT_ENTRY
  };
  return all;
}

/// The projector, or what the device offers in place of a model that it has not.
const ProjectorInfo& require_projector(const Backend& backend, Model model, const std::string& variant = {}) {
  if (const ProjectorInfo* found = find_projector(backend.name(), model, variant)) return *found;
  std::vector<std::string> names;
  for (const ProjectorInfo* p : projectors_on(backend.name()))
    if (p->make && std::ranges::find(names, name(p->model)) == names.end()) names.emplace_back(name(p->model));
  throw Unsupported("model", fmt::format("the {} backend does not offer '{}'", backend.name(), name(model)),
                    fmt::format("it offers {}", fmt::join(names, ", ")));
}

template <class Enum>
void require(const Backend& backend, const char* option, Enum asked, const std::vector<Enum>& offered) {
  if (std::ranges::find(offered, asked) != offered.end()) return;
  std::vector<std::string> names;
  for (const Enum value : offered) names.emplace_back(name(value));
  throw Unsupported(option, fmt::format("the {} backend does not offer '{}'", backend.name(), name(asked)),
                    fmt::format("it offers {}", fmt::join(names, ", ")));
}

void require_weighting(const ProjectorInfo& projector, const CtOptions& options) {
  if (options.weighting == Weighting::none || projector.fdk_weights) return;
  throw Unsupported("model", fmt::format("{} has no FDK weighting", name(projector.model)), "choose voxel_driven");
}

}  // namespace

void register_projector(ProjectorInfo info) {
  const auto same = [&](const ProjectorInfo& p) {
    return p.model == info.model && p.device == info.device && !p.knows;
  };
  const auto found = info.knows ? registry().end() : std::ranges::find_if(registry(), same);
  if (found == registry().end())
    registry().push_back(std::move(info));
  else
    *found = std::move(info);
}

std::vector<const ProjectorInfo*> projectors_on(const std::string& device) {
  std::vector<const ProjectorInfo*> all;
  for (const ProjectorInfo& p : registry())
    if (p.device == device) all.push_back(&p);
  return all;
}

const ProjectorInfo* find_projector(const std::string& device, Model model, const std::string& variant) {
  const ProjectorInfo* usual = nullptr;
  for (const ProjectorInfo* p : projectors_on(device)) {
    if (p->model != model) continue;
    if (!p->knows)
      usual = p;
    else if (!variant.empty() && p->knows(variant))
      return p;
  }
  return usual;
}

std::vector<std::string> projector_names() {
  std::vector<std::string> names;
  for (const Model model : Model::all())
    if (std::ranges::any_of(registry(),
                            [&](const ProjectorInfo& p) { return p.model == model && (p.make || p.make_emission); }))
      names.emplace_back(name(model));
  return names;
}

std::unique_ptr<LinearOperator> Backend::make_ct(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  grid.check("volume");
  scan.check("scan");
  const ProjectorInfo& projector = require_projector(*this, options.model, options.variant);
  if (!projector.make)
    throw Unsupported("model", fmt::format("{} takes more than a volume and a scan", backlit::name(options.model)),
                      "choose another");
  require(*this, "precision", options.precision, projector.precisions);
  require(*this, "packing", options.packing, projector.packings);
  require_weighting(projector, options);
  require_sound(grid, options);
  return projector.make(*this, grid, scan, options);
}

std::int64_t Backend::plan_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                                 std::int64_t views) const {
  const ProjectorInfo* projector = find_projector(name(), options.model, options.variant);
  if (projector && projector->bytes) return projector->bytes(*this, grid, scan, options, views);
  return usual_plan_bytes(grid, scan, views);
}

std::int64_t usual_plan_bytes(const VolumeGrid& grid, const Scan& scan, std::int64_t views) {
  return 2 * static_cast<std::int64_t>(sizeof(float)) * (grid.voxels() + views * scan.detector.pixels());
}

std::vector<CtOptions> Backend::variants(Model model) const {
  std::vector<CtOptions> all;
  for (const ProjectorInfo* p : projectors_on(name()))
    if (p->model == model && p->variants) std::ranges::copy(p->variants(), std::back_inserter(all));
  return all;
}

std::unique_ptr<LinearOperator> Backend::make_emission(const VolumeGrid& grid, const Scan& scan,
                                                       std::span<const float> attenuation,
                                                       const EmissionOptions& options) {
  const ProjectorInfo* projector = find_projector(name(), Model::emission, options.variant);
  if (!projector)
    throw Unsupported("model", fmt::format("the {} backend does not offer emission", name()), "use cpu or gl");
  require_sound(grid, scan, attenuation, options);
  require(*this, "precision", options.precision, projector->precisions);
  return projector->make_emission(*this, grid, scan, attenuation, options);
}

std::vector<EmissionOptions> Backend::emission_variants() const {
  const ProjectorInfo* projector = find_projector(name(), Model::emission);
  return projector && projector->emission_variants ? projector->emission_variants() : std::vector<EmissionOptions>();
}

std::unique_ptr<LinearOperator> Backend::make_listmode(const VolumeGrid& grid, const LineList& lines,
                                                       const LineOptions& options) {
  const ProjectorInfo* projector = find_projector(name(), Model::lines_of_response, options.variant);
  if (!projector)
    throw Unsupported("list mode", fmt::format("the {} backend does not offer it", name()), "use cpu, gl or cuda");
  require_sound(grid, lines, options);
  return projector->make_lines(*this, grid, lines, options);
}

std::vector<std::string> Backend::view_sart_variants() const {
  std::vector<std::string> all;
  for (const ProjectorInfo* p : projectors_on(name()))
    if (p->make_in_place) all.insert(all.end(), p->in_place_variants.begin(), p->in_place_variants.end());
  return all;
}

std::unique_ptr<ViewSart> Backend::make_view_sart(const VolumeGrid& grid, const Scan& scan,
                                                  const std::string& variant) {
  const std::vector<std::string> known = view_sart_variants();
  require_variant(*this, variant, known);
  if (known.empty())
    throw Unsupported("model", fmt::format("the {} backend does not offer sart_in_place", name()), "use cpu or cuda");
  const std::string& chosen = variant.empty() ? known.front() : variant;
  return find_projector(name(), Model::sart_in_place, chosen)->make_in_place(*this, grid, scan, chosen);
}

}  // namespace backlit

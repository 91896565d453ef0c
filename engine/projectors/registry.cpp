// The list of projectors, and the parts of Backend that look things up in it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <set>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/projectors/projector.hpp>
#include <backlit/projectors/require.hpp>
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

/// Names of the variants of a model that are registered for a device.
std::vector<std::string> variant_names(const Backend& backend, Model model) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const ProjectorInfo* p : projectors_on(backend.name())) {
    if (p->model != model) continue;
    if (p->variants)
      for (const CtOptions& o : p->variants()) add(o.variant);
    for (const std::string& name : p->in_place_variants) add(name);
  }
  return names;
}

/// The projector, or what the device offers in place of a model or a variant that it has not.
const ProjectorInfo& require_projector(const Backend& backend, Model model, const std::string& variant = {}) {
  if (const ProjectorInfo* found = find_projector(backend.name(), model, variant)) return *found;
  if (find_projector(backend.name(), model)) {
    const std::vector<std::string> known = variant_names(backend, model);
    throw Unsupported("variant", fmt::format("the {} backend does not offer '{}'", backend.name(), variant),
                      known.empty() ? "leave it out" : fmt::format("it offers {}", fmt::join(known, ", ")));
  }
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

/// What may be changed for a choice to have an effect: the model, or of this model the backend. Empty: nothing.
std::string remedy_for(const std::string& option, const std::vector<Model>& models) {
  std::set<std::string> others, devices;
  for (const ProjectorInfo& p : registry()) {
    if (p.studied || !p.takes(option)) continue;
    others.insert(name(p.model));
    if (std::ranges::find(models, p.model) != models.end()) devices.insert(p.device);
  }
  if (!devices.empty()) return fmt::format("`backend` {}", fmt::join(devices, " or "));
  return others.empty() ? std::string() : fmt::format("`model` {}", fmt::join(others, " or "));
}

void require_choice(const Backend& backend, const ProjectorInfo& projector, const std::string& option) {
  if (projector.takes(option)) return;
  const std::string remedy = remedy_for(option, {projector.model});
  throw Unsupported(option,
                    fmt::format("{} on the {} backend has no such choice", name(projector.model), backend.name()),
                    remedy.empty() ? "leave it out" : "leave it out, or use " + remedy);
}

/// Names of the choices that are not their defaults.
std::vector<std::string> changed(CtOptions options) {
  CtOptions plain;
  const Parameters mine = describe(options), defaults = describe(plain);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (mine[i].text() != defaults[i].text()) names.push_back(mine[i].name);
  return names;
}

void require_weighting(const ProjectorInfo& projector, const CtOptions& options) {
  if (options.weighting == Weighting::none || projector.fdk_weights) return;
  throw Unsupported("model", fmt::format("{} has no FDK weighting", name(projector.model)), "choose voxel_driven");
}

}  // namespace

bool ProjectorInfo::takes(const std::string& option) const {
  return std::ranges::find(options, option) != options.end();
}

void register_projector(ProjectorInfo info) {
  const auto same = [&](const ProjectorInfo& p) {
    return p.model == info.model && p.device == info.device && !p.studied;
  };
  const auto found = info.studied ? registry().end() : std::ranges::find_if(registry(), same);
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
  for (const ProjectorInfo* p : projectors_on(device))
    if (p->model == model && (variant.empty() ? !p->studied : p->knows && p->knows(variant))) return p;
  return nullptr;
}

void share_choices(const Backend& backend, CtOptions& one, CtOptions& other) {
  const ProjectorInfo *first = find_projector(backend.name(), one.model, one.variant),
                      *second = find_projector(backend.name(), other.model, other.variant);
  if (!first || !second) return;
  CtOptions plain;
  Parameters of_one = describe(one), of_other = describe(other);
  const Parameters defaults = describe(plain);
  for (std::size_t i = 0; i < defaults.size(); ++i) {
    const std::string& option = defaults[i].name;
    if (first->takes(option) == second->takes(option)) continue;
    (first->takes(option) ? of_other : of_one)[i].set(defaults[i].text());
  }
}

void set_needs(Parameters& choices, const std::vector<Model>& models) {
  for (Parameter& p : choices) {
    const auto takes = [&](const ProjectorInfo& info) {
      return !info.studied && info.takes(p.name) && std::ranges::find(models, info.model) != models.end();
    };
    if (std::ranges::none_of(registry(), takes)) p.needs = remedy_for(p.name, models);
  }
}

std::vector<std::string> projector_names() {
  std::vector<std::string> names;
  for (const Model model : Model::all())
    if (std::ranges::any_of(registry(),
                            [&](const ProjectorInfo& p) { return p.model == model && (p.make || p.make_emission); }))
      names.emplace_back(name(model));
  return names;
}

void require_choices(const Backend& backend, const CtOptions& options) {
  const ProjectorInfo& projector = require_projector(backend, options.model, options.variant);
  require(backend, "precision", options.precision, projector.precisions);
  require(backend, "packing", options.packing, projector.packings);
  for (const std::string& option : changed(options)) require_choice(backend, projector, option);
}

void require_supported(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  grid.check("volume");
  scan.check("scan");
  const ProjectorInfo& projector = require_projector(backend, options.model, options.variant);
  if (!projector.make)
    throw Unsupported("model", fmt::format("{} takes more than a volume and a scan", name(options.model)),
                      "choose another");
  require_choices(backend, options);
  require_weighting(projector, options);
  require_sound(grid, options);
  if (projector.require) projector.require(backend.innermost(), grid, scan, options);
}

std::unique_ptr<LinearOperator> Backend::make_ct(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  require_supported(*this, grid, scan, options);
  return require_projector(*this, options.model, options.variant).make(*this, grid, scan, options);
}

Support Backend::supports(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) try {
  require_supported(*this, grid, scan, options);
  return {};
} catch (const Unsupported& reason) {
  return {reason.what()};
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
  if (!find_projector(name(), Model::emission))
    throw Unsupported("model", fmt::format("the {} backend does not offer emission", name()), "use cpu or gl");
  const ProjectorInfo& projector = require_projector(*this, Model::emission, options.variant);
  require_sound(grid, scan, attenuation, options);
  require(*this, "precision", options.precision, projector.precisions);
  if (options.pipeline != Pipeline::automatic) require_choice(*this, projector, "pipeline");
  return projector.make_emission(*this, grid, scan, attenuation, options);
}

std::vector<EmissionOptions> Backend::emission_variants() const {
  std::vector<EmissionOptions> all;
  for (const ProjectorInfo* p : projectors_on(name()))
    if (p->emission_variants) std::ranges::copy(p->emission_variants(), std::back_inserter(all));
  return all;
}

std::unique_ptr<LinearOperator> Backend::make_listmode(const VolumeGrid& grid, const LineList& lines,
                                                       const LineOptions& options) {
  if (!find_projector(name(), Model::lines_of_response))
    throw Unsupported("list mode", fmt::format("the {} backend does not offer it", name()), "use cpu, gl or cuda");
  const ProjectorInfo& projector = require_projector(*this, Model::lines_of_response, options.variant);
  if (options.pipeline != Pipeline::automatic) require_choice(*this, projector, "pipeline");
  require_sound(grid, lines, options);
  return projector.make_lines(*this, grid, lines, options);
}

std::vector<std::string> Backend::view_sart_variants() const {
  std::vector<std::string> all;
  for (const ProjectorInfo* p : projectors_on(name()))
    all.insert(all.end(), p->in_place_variants.begin(), p->in_place_variants.end());
  return all;
}

std::unique_ptr<ViewSart> Backend::make_view_sart(const VolumeGrid& grid, const Scan& scan,
                                                  const ViewSartOptions& options) {
  if (!find_projector(name(), Model::sart_in_place))
    throw Unsupported("model", fmt::format("the {} backend does not offer sart_in_place", name()), "use cpu or cuda");
  return require_projector(*this, Model::sart_in_place, options.variant).make_in_place(*this, grid, scan, options);
}

}  // namespace backlit

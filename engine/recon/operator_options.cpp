#include "recon/operator_options.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/projectors/projector.hpp>
#include <backlit/projectors/require.hpp>
#include <backlit/recon/methods/sart_in_place.hpp>

namespace backlit {
namespace {

void require_projections(const CtOptions& forward, const std::string& method) {
  if (forward.model == Model::voxel_driven)
    throw Unsupported("model", fmt::format("voxel_driven gives no line integrals, which {} needs", method),
                      "choose joseph");
}

Support pair_support(Backend& backend, const VolumeGrid& grid, const Scan& scan, const OperatorPair& pair) {
  const Support forward = backend.supports(grid, scan, pair.forward);
  return !forward || pair.matched ? forward : backend.supports(grid, scan, pair.back);
}

}  // namespace

CtOptions operator_options(const OperatorOptions& options, Model automatic) {
  CtOptions ct = options.choices;
  ct.model = options.model == "auto" ? automatic : model_from(options.model);
  ct.precision = options.precision;
  ct.packing = options.packing;
  return ct;
}

OperatorPair operator_pair(const Backend& backend, const IterationOptions& options, const std::string& method) {
  OperatorPair pair;
  pair.forward = pair.back = operator_options(options, Model::joseph);
  require_projections(pair.forward, method);
  const auto* unmatched = dynamic_cast<const BackModelOptions*>(&options);
  if (!unmatched || unmatched->back_model == "matched") return pair;
  pair.matched = false;
  CtOptions& back = pair.back;
  back.model = model_from(unmatched->back_model);
  if (back.packing == Packing::orbit) back.packing = Packing::automatic;  // which packs where that is faster
  if (back.packing == Packing::slices) back.packing = Packing::none;
  back.variant = unmatched->back_variant;
  share_choices(backend, pair.forward, back);
  return pair;
}

/// Backprojection is voxel-driven whatever model projects.
OperatorPair operator_pair(const Backend& backend, const IterativeFdkOptions& options) {
  OperatorPair pair;
  pair.matched = false;
  pair.forward = pair.back = operator_options(options, Model::joseph);
  require_projections(pair.forward, "ifdk");
  pair.back.model = Model::voxel_driven;
  pair.forward.variant.clear();
  pair.forward.packing = Packing::automatic;
  share_choices(backend, pair.back, pair.forward);
  return pair;
}

EmissionOptions emission_of(const IterationOptions& options) {
  EmissionOptions emission = emission_options(options.emission, options.precision, options.choices.pipeline);
  emission.variant = options.choices.variant;
  return emission;
}

Support method_support(Backend& backend, const VolumeGrid& grid, const Scan& scan, const Method& method) try {
  if (method.get<SartInPlaceOptions>()) require_choices(backend, {Model::sart_in_place});
  if (const auto* o = method.get<IterativeFdkOptions>())
    return pair_support(backend, grid, scan, operator_pair(backend, *o));
  if (const auto* o = method.get<FilteredOptions>()) {
    CtOptions back = operator_options(*o, Model::voxel_driven);
    back.weighting = Weighting::fdk;
    return backend.supports(grid, scan, back);
  }
  const auto* const o = method.get<IterationOptions>();
  if (o && o->model != "emission") return pair_support(backend, grid, scan, operator_pair(backend, *o, method.name()));
  if (o) {
    const EmissionOptions emission = emission_of(*o);
    require_choices(backend,
                    {.model = Model::emission, .precision = emission.precision, .pipeline = emission.pipeline});
  }
  return {};
} catch (const Unsupported& reason) {
  return {reason.what()};
}

}  // namespace backlit

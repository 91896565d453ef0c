#include <backlit/recon/method_options.hpp>

#include <fmt/format.h>

#include <iterator>

#include <backlit/core/error.hpp>
#include <backlit/projectors/projector.hpp>

namespace backlit {
namespace {

/// Sets Parameter::needs of `parameters` to `what`, unless the condition holds (`there`).
void need(Parameters& parameters, bool there, const char* what) {
  if (there) return;
  for (Parameter& p : parameters) p.needs = what;
}

}  // namespace

void append(Parameters& list, Parameters more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Parameters OperatorOptions::parameters() {
  std::vector<std::string> names = projector_names();
  names.insert(names.begin(), "auto");
  Parameters list{
      {"model", &model, "projector; auto: chosen by the method", "", 0, 0, names},
      choice("precision", precision, "exact: interpolation in software; fast: in hardware; half: fp16 storage",
             {"exact", "fast", "half"}),
      choice("packing", packing, "how values share a texel", {"auto", "none", "slices", "orbit"})};
  Parameters own = describe(choices);
  std::erase_if(own, [](const Parameter& p) { return p.name == "step"; });  // another `step` exists in session files
  set_needs(own, models());
  append(list, std::move(own));
  return list;
}

std::vector<Model> OperatorOptions::models() const { return {model == "auto" ? automatic_model() : model_from(model)}; }

Parameters FilteredOptions::parameters() {
  Parameters list = describe(filter);
  append(list, OperatorOptions::parameters());
  return list;
}

void FilteredOptions::check() const {
  if (model == "emission")
    throw InputError("model", "filtered backprojection does not model emission", "use an iterative `method`, as osem");
}

Parameter iterations_parameter(std::int64_t& iterations) {
  return steering({{"iterations", &iterations, "iterations, at most", "", 1, 1e6}}).front();
}

Parameter subset_order_parameter(SubsetOrder& order) {
  return choice("subset_order", order, "the order in which subsets are taken",
                {"bit_reversed", "golden", "sequential"});
}

Parameters describe(SubsetOptions& o) {
  return {{"subsets", &o.subsets, "subsets of the views that an iteration goes through; 0: 10, or fewer of few views",
           "", 0, 1e6},
          subset_order_parameter(o.subset_order)};
}

Parameters describe(RelaxationOptions& o) {
  return steering({{"relaxation", &o.relaxation, "share of each update that is applied", "", 1e-6, 2},
                   {"nonnegative", &o.nonnegative, "set negative values to zero after each update"}});
}

Parameters IterationOptions::parameters() {
  Parameters list{iterations_parameter(iterations)}, projector = OperatorOptions::parameters();
  // Iterations cannot project with voxel_driven, which can only replace the transpose.
  const auto of_back_model = [](const Parameter& p) { return p.needs == "`model` voxel_driven"; };
  if (dynamic_cast<const BackModelOptions*>(this)) {
    for (Parameter& p : projector)
      if (of_back_model(p)) p.needs = "`back_model` voxel_driven";
  } else {
    std::erase_if(projector, of_back_model);
  }
  append(list, std::move(projector));
  append(
      list,
      {{"mask", &mask,
        "voxels to reconstruct, the others stay 0: cylinder (the largest upright one in the grid), or a volume on "
        "the grid, not 0 inside"},
       {"initial", &initial,
        "where iterations start: fdk, hfdk (helices), or a volume on the grid; else from 0 (mlem, osem: a constant)"}});
  append(list,
         steering(
             {{"stop_residual", &stop_residual, "stop once |b - Ax| / |b| is no larger than this; 0: never", "", 0, 1},
              {"noise", &noise,
               "standard deviation of a line integral: stop once the r.m.s. residual is no larger (discrepancy "
               "principle); 0: never",
               "", 0, 1e9}}));
  list.push_back({"checkpoint", &checkpoint,
                  "file for the state of a run, to resume it from; also written after the last iteration"});
  Parameters every{{"checkpoint_every", &checkpoint_every, "iterations from one checkpoint to the next", "", 1, 1e6}};
  need(every, !checkpoint.empty(), "`checkpoint`");
  append(list, std::move(every));
  list.push_back({"resume", &resume, "checkpoint to go on from; iterations count from the run's first"});
  Parameters light = describe(emission);
  std::erase_if(light, [](const Parameter& p) { return p.name == "emission_back"; });  // see BackModelOptions
  need(light, model == "emission", "`model` emission");
  append(list, std::move(light));
  Parameters start = describe(filter);
  need(start, starts_filtered(), "`initial` fdk or hfdk");
  append(list, std::move(start));
  return list;
}

void IterationOptions::check() const {
  if (model == "emission" && (packing == Packing::slices || packing == Packing::orbit))
    throw InputError("packing", "emission has no packing", "use `packing` auto");
}

Parameters BackModelOptions::parameters() {
  Parameters list = IterationOptions::parameters();
  list.push_back({"back_model",
                  &back_model,
                  "model of backprojection; matched: the transpose of the projection",
                  "",
                  0,
                  0,
                  {"matched", "voxel_driven"}});
  Parameters light = describe(emission);
  std::erase_if(light, [](const Parameter& p) { return p.name != "emission_back"; });
  need(light, model == "emission", "`model` emission");
  append(list, std::move(light));
  return list;
}

std::vector<Model> BackModelOptions::models() const {
  std::vector<Model> all = IterationOptions::models();
  if (back_model != "matched") all.push_back(model_from(back_model));
  return all;
}

void BackModelOptions::check() const {
  IterationOptions::check();
  if (model == "emission" && back_model != "matched")
    throw InputError("back_model", "emission has backprojections of its own", "use `emission_back`");
}

void continue_rows(Method& method, const CorrectionOptions& corrections) {
  FilterOptions* filter = nullptr;
  if (auto* const filtered = method.get<FilteredOptions>()) filter = &filtered->filter;
  if (auto* const iterations = method.get<IterationOptions>(); iterations && iterations->starts_filtered())
    filter = &iterations->filter;
  if (filter && filter->pad == 0) filter->pad = corrections.truncation;
}

}  // namespace backlit

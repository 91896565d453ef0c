#include "study/variant_lists.hpp"

#include <fmt/format.h>

#include <backlit/recon/methods/sart_in_place.hpp>

namespace backlit {
namespace {

CtOptions named_options(Precision precision, Packing packing, const std::string& variant) {
  CtOptions o;
  o.precision = precision;
  o.packing = packing;
  o.variant = variant;
  return o;
}

/// Further variants of gl: numbers of views in a pass for both places of the transform, and kinds of accumulation,
/// beyond those that the backend lists. Includes combinations that exclude each other; these are reported.
std::vector<CtOptions> further_drawn() {
  std::vector<CtOptions> all;
  const auto add = [&](const std::string& text) { all.push_back(named_options(Precision::fast, Packing::none, text)); };
  for (const int views : {2, 4, 32}) add(fmt::format("views={}", views));
  for (const int views : {1, 4, 64}) add(fmt::format("transform=fragment,views={}", views));
  add("transform=fragment,accumulate=ping_pong");
  add("accumulate=loop");
  add("kill=stencil,accumulate=ping_pong");
  return all;
}

bool takes_nearest(const CtOptions& o) { return o.variant.find("interpolation=nearest") != std::string::npos; }

CtOptions of_model(CtOptions o, Model model) {
  o.model = model;
  return o;
}

/// Variants of projection for gl, which names none: each algorithm, and each texel format.
std::vector<CtOptions> gl_projections() {
  std::vector<CtOptions> all;
  for (const char* text : {"draw=rays", "draw=rays,accumulate=ping_pong", "draw=slices",
                           "draw=slices,accumulate=ping_pong", "draw=compute"})
    all.push_back(of_model(named_options(Precision::fast, Packing::none, text), Model::joseph));
  for (const char* text : {"draw=rays", "draw=compute"}) {
    all.push_back(of_model(named_options(Precision::exact, Packing::none, text), Model::joseph));
    for (const Packing packing : {Packing::none, Packing::slices, Packing::orbit})
      all.push_back(of_model(named_options(Precision::half, packing, text), Model::joseph));
    for (const Model model : {Model::raycast, Model::siddon})
      all.push_back(of_model(named_options(Precision::fast, Packing::none, text), model));
  }
  all.push_back(of_model(named_options(Precision::fast, Packing::none, "draw=compute"), Model::blob));
  return all;
}

}  // namespace

std::vector<CtOptions> interpolating_backprojections(Backend& backend) {
  std::vector<CtOptions> all = backend.innermost().variants(Model::voxel_driven);
  if (all.empty()) all.push_back(named_options(Precision::exact, Packing::none, ""));
  std::erase_if(all, takes_nearest);
  if (backend.innermost().name() == "gl")
    for (CtOptions& o : further_drawn()) all.push_back(std::move(o));
  return all;
}

std::vector<CtOptions> nearest_backprojections(Backend& backend) {
  std::vector<CtOptions> all = backend.innermost().variants(Model::voxel_driven);
  std::erase_if(all, [](const CtOptions& o) { return !takes_nearest(o); });
  return all;
}

std::vector<CtOptions> chosen_backprojections(Backend& any) {
  const Backend& backend = any.innermost();
  if (backend.name() == "cpu") return {named_options(Precision::exact, Packing::none, "")};
  std::vector<CtOptions> all;
  if (backend.name() == "gl") {
    for (const char* text : {"draw=slices", "transform=fragment", "draw=compute"})
      all.push_back(named_options(Precision::fast, Packing::none, text));
    for (const char* text : {"draw=slices", "draw=compute"})
      all.push_back(named_options(Precision::half, Packing::orbit, text));
  } else {
    all.push_back(named_options(Precision::fast, Packing::none, "general"));
    all.push_back(named_options(Precision::fast, Packing::none, "columns"));
    all.push_back(named_options(Precision::half, Packing::orbit, ""));
  }
  return all;
}

std::vector<CtOptions> killing_backprojections(Backend& any) {
  std::vector<CtOptions> all;
  if (any.innermost().name() != "gl") return all;
  for (const Packing packing : {Packing::none, Packing::orbit})
    for (const char* kill : {"none", "stencil", "early_z"})
      all.push_back(named_options(packing == Packing::none ? Precision::fast : Precision::half, packing,
                                  fmt::format("draw=slices,kill={}", kill)));
  return all;
}

std::vector<CtOptions> projections(Backend& any) {
  const Backend& backend = any.innermost();
  if (backend.name() == "gl") return gl_projections();
  std::vector<CtOptions> all;
  for (const Model model : {Model::joseph, Model::raycast}) {
    const auto named = backend.variants(model);
    all.insert(all.end(), named.begin(), named.end());
    if (named.empty()) all.push_back(of_model(named_options(Precision::exact, Packing::none, ""), model));
  }
  return all;
}

std::vector<CtOptions> footprints(Backend& any) {
  const Backend& backend = any.innermost();
  std::vector<CtOptions> all;
  for (const Model model : {Model::distance_driven, Model::branchless_dd}) {
    const auto named = backend.variants(model);
    all.insert(all.end(), named.begin(), named.end());
    if (named.empty() && model == Model::distance_driven)
      all.push_back(of_model(named_options(Precision::exact, Packing::none, ""), model));
  }
  return all;
}

std::vector<LineBenchOptions> lines(const Backend& backend) {
  std::vector<std::string> variants{""};
  if (backend.name() == "gl") variants = {"draw=fragment", "draw=compute"};
  if (backend.name() == "cuda") variants = {"gaussian", "table"};
  std::vector<LineBenchOptions> all;
  for (const std::string& variant : variants)
    for (const char* sums : {"fixed", "floating"}) {
      if (backend.name() != "cuda" && std::string(sums) == "floating") continue;
      LineBenchOptions o;
      o.sums = sums;
      o.variant = variant;
      all.push_back(o);
    }
  LineBenchOptions thin;
  thin.line = "joseph";
  thin.variant = backend.name() == "gl" ? "draw=compute" : "";
  all.push_back(thin);
  return all;
}

std::vector<Method> iterations(const Backend& backend, const std::string& method, std::int64_t subsets) {
  std::vector<Method> all;
  const auto add = [&](const std::string& precision, const std::string& packing, const std::string& variant) {
    Method m(method);
    if (subsets > 1) m.set("subsets", std::to_string(subsets));
    m.set("model", "joseph");
    m.set("precision", precision);
    m.set("packing", packing);
    m.get<OperatorOptions>()->choices.variant = variant;
    all.push_back(std::move(m));
  };
  if (backend.name() == "cpu") {
    add("exact", "none", "");
  } else if (backend.name() == "gl") {
    for (const char* draw : {"draw=rays", "draw=slices", "draw=compute"}) add("fast", "none", draw);
  } else {
    add("fast", "none", "");
    add("half", "none", "");
  }
  if (method == "sart")
    for (const std::string& layout : backend.view_sart_variants()) {
      SartInPlaceOptions in_place;
      in_place.operation.variant = layout;
      all.emplace_back(in_place);
    }
  return all;
}

std::vector<RenderVariant> render_variants(const Backend& backend) {
  if (backend.name() != "gl") return {RenderVariant{}};  // the backend reports that it does not draw
  std::vector<RenderVariant> all;
  for (const VolumeMode mode : {VolumeMode::mip, VolumeMode::drr, VolumeMode::iso, VolumeMode::dvr})
    for (const bool compute : {false, true}) {
      all.push_back({mode, compute, false, true});
      if (mode == VolumeMode::dvr) all.push_back({mode, compute, true, true});
      if (mode != VolumeMode::drr) all.push_back({mode, compute, false, false, 1});
    }
  return all;
}

std::vector<D2vrVariant> d2vr_variants(const Backend& backend) {
  if (backend.name() != "gl") return {D2vrVariant{}};
  std::vector<D2vrVariant> all;
  for (const VolumeMode mode : {VolumeMode::mip, VolumeMode::drr, VolumeMode::iso, VolumeMode::dvr})
    for (const bool compute : {false, true}) {
      all.push_back({mode, compute, true, Precision::fast});
      if (mode == VolumeMode::drr) continue;
      all.push_back({mode, compute, true, Precision::half});
      if (compute) all.push_back({mode, compute, false, Precision::fast});
    }
  return all;
}

}  // namespace backlit

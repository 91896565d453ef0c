// All options of all methods in one struct, for tests that run one problem with many methods.
#pragma once

#include <memory>
#include <string>

#include <backlit/recon/method_options.hpp>
#include <backlit/recon/reconstruction.hpp>

namespace backlit {

/// Values that differ from these defaults are set by the names of their parameters, so that a method refuses unknown
/// ones. By default pwls has no penalty, one subset and no momentum.
struct ReconOptions {
  std::string method = "fdk", model = "auto", back_model = "matched", precision = "fast", packing = "auto";
  std::string variant{}, back_variant{};
  std::int64_t iterations = 20, subsets = 1;
  std::string subset_order = "bit_reversed";
  double relaxation = 1, relaxation_decay = 0, momentum = 1;
  bool nonnegative = false;
  std::string preconditioner = "diagonal", mask{}, initial{}, weights = "none", penalty = "none";
  double strength = 0.01, penalty_p = 2, penalty_q = 1.2, penalty_edge = 2e-4;
  double stop_residual = 0, noise = 0;
  std::string checkpoint{};
  std::int64_t checkpoint_every = 10;
  std::string resume{};
  EmissionWords emission{};
  FilterOptions filter{};
  std::shared_ptr<const Volume> mask_volume{}, initial_volume{}, attenuation_volume{};

  operator Method() const {
    ReconOptions mine = *this, plain;
    Method result(method);
    const Parameters values = mine.parameters(), defaults = plain.parameters();
    if (method == "pwls" && subsets > 0) result.set("subsets", std::to_string(subsets));
    if (method == "pwls" && penalty != "none") result.set("strength", values_text(strength));
    if (method == "pwls" && subsets > 1) result.set("momentum", values_text(momentum));
    for (std::size_t i = 0; i < values.size(); ++i)
      if ((values[i].text() != defaults[i].text() && counts(values[i].name)) || is_off(result, values[i].name))
        result.set(values[i].name, values[i].text());
    if (auto* const projector = result.get<OperatorOptions>()) projector->choices.variant = variant;
    if (auto* const pair = result.get<BackModelOptions>()) pair->back_variant = back_variant;
    if (auto* const volumes = result.get<IterationOptions>()) {
      volumes->mask_volume = mask_volume;
      volumes->initial_volume = initial_volume;
      volumes->attenuation_volume = attenuation_volume;
    }
    return result;
  }

 private:
  static std::string values_text(double value) { return Parameter{"", &value, ""}.text(); }
  /// Whether pwls has the option on by default.
  static bool is_off(const Method& m, const std::string& name) {
    return (name == "weights" || name == "penalty") && m.has(name);
  }
  /// Whether a value is passed on: options of a penalty only count with that penalty.
  bool counts(const std::string& name) const {
    if (name == "strength" || name == "penalty_edge") return penalty != "none";
    return (name != "penalty_p" && name != "penalty_q") || penalty == "qggmrf";
  }
  Parameters parameters() {
    Parameters list{{"model", &model, ""},
                    {"back_model", &back_model, ""},
                    {"precision", &precision, ""},
                    {"packing", &packing, ""},
                    {"iterations", &iterations, ""},
                    {"subsets", &subsets, ""},
                    {"subset_order", &subset_order, ""},
                    {"relaxation", &relaxation, ""},
                    {"relaxation_decay", &relaxation_decay, ""},
                    {"nonnegative", &nonnegative, ""},
                    {"preconditioner", &preconditioner, ""},
                    {"mask", &mask, ""},
                    {"initial", &initial, ""},
                    {"weights", &weights, ""},
                    {"penalty", &penalty, ""},
                    {"strength", &strength, ""},
                    {"penalty_p", &penalty_p, ""},
                    {"penalty_q", &penalty_q, ""},
                    {"penalty_edge", &penalty_edge, ""},
                    {"stop_residual", &stop_residual, ""},
                    {"noise", &noise, ""},
                    {"checkpoint", &checkpoint, ""},
                    {"checkpoint_every", &checkpoint_every, ""},
                    {"resume", &resume, ""}};
    append(list, describe(emission));
    append(list, describe(filter));
    return list;
  }
};

inline std::unique_ptr<Reconstruction> make_reconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                           const VolumeGrid& grid, const ReconOptions& options) {
  return make_reconstruction(backend, std::move(source), grid, Method(options));
}

}  // namespace backlit

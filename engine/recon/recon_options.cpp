// What can be asked of a reconstruction, and which methods take it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/projectors/projector.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "recon/given_options.hpp"

namespace backlit {
namespace {

using Names = std::vector<std::string>;

/// Conjugate gradients minimise penalised least squares with one subset, surrogates with several.
constexpr const char* surrogates = "pwls with subsets";

const Names with_subsets{"ossart", "osem", "fista", "pwls"},
    relaxed{"ifdk", "sirt", "sart", "ossart", "fista", surrogates}, relaxed_less{surrogates},
    clamped{"ifdk", "sirt", "sart", "ossart", "fista", "mlem", "osem", surrogates},
    unmatched{"sirt", "sart", "ossart", "mlem", "osem"},
    iterative{"sirt", "sart", "ossart", "fista", "cgls", "pcg", "pwls", "mlem", "osem"}, penalized{"pwls"};

}  // namespace

namespace {

Names model_choices() {
  Names names = projector_names();
  names.insert(names.begin(), "auto");
  return names;
}

}  // namespace

const std::vector<std::string>& recon_methods() {
  static const Names methods{"fdk",  "ifdk", "sirt", "sart", "ossart", "fista",
                             "cgls", "pcg",  "pwls", "mlem", "osem",   "hfdk"};
  return methods;
}

Parameters describe(ReconOptions& o) {
  Parameters list{
      {"method", &o.method, "reconstruction method", "", 0, 0, recon_methods()},
      {"model", &o.model, "how voxels and rays meet; auto takes what suits the method", "", 0, 0, model_choices()},
      {"back_model",
       &o.back_model,
       "what stands in for the transpose of the model; matched: the transpose itself (sirt, sart, ossart, mlem, osem)",
       "",
       0,
       0,
       {"matched", "voxel_driven"}},
      {"precision",
       &o.precision,
       "exact: interpolation in software; fast: in hardware; half: fp16 storage",
       "",
       0,
       0,
       {"exact", "fast", "half"}},
      {"packing", &o.packing, "how values share a texel", "", 0, 0, {"auto", "none", "slices", "orbit"}},
      {"variant", &o.variant, "the backend's own name for a variant; empty lets it choose"},
      {"back_variant", &o.back_variant, "the same for the back model"},
      {"iterations", &o.iterations, "iterations of an iterative method, at most", "", 1, 1e6},
      {"subsets", &o.subsets, "subsets of the views an iteration goes through (ossart, osem, fista, pwls)", "", 1, 1e6},
      {"subset_order",
       &o.subset_order,
       "the order in which subsets are taken",
       "",
       0,
       0,
       {"bit_reversed", "golden", "sequential"}},
      {"relaxation", &o.relaxation,
       "share of each update that is applied (ifdk, sirt, sart, ossart, fista, pwls with subsets)", "", 1e-6, 2},
      {"relaxation_decay", &o.relaxation_decay,
       "of pwls with subsets: iteration n = 0, 1, ... applies relaxation / (1 + this n); 0: the same share always, "
       "which stops near the minimum",
       "", 0, 1e6},
      {"nonnegative", &o.nonnegative,
       "set negative values to zero after each update (ifdk, sirt, sart, ossart, fista, pwls with subsets)"},
      {"preconditioner",
       &o.preconditioner,
       "of pcg; diagonal: 1 / (A' A 1), which evens out how well voxels are seen",
       "",
       0,
       0,
       {"diagonal", "none"}},
      {"weights",
       &o.weights,
       "of pwls; transmission: exp(-b), the share of photons that a ray kept",
       "",
       0,
       0,
       {"none", "transmission"}},
      {"penalty",
       &o.penalty,
       "of pwls, on differences of neighbours; qggmrf: 26 neighbours; tv: total variation, smoothed",
       "",
       0,
       0,
       {"none", "qggmrf", "tv"}},
      {"strength", &o.strength, "of the penalty, as a share of the data's largest curvature", "", 0, 1e6},
      {"penalty_p", &o.penalty_p, "qggmrf: power of small differences", "", 1, 2},
      {"penalty_q", &o.penalty_q, "qggmrf: power of large differences, no larger than p", "", 1, 2},
      {"penalty_edge", &o.penalty_edge, "difference from which on edges are kept", "1/mm", 1e-12, 1e12},
      {"mask", &o.mask,
       "voxels to reconstruct, the others stay 0: cylinder (the largest upright one in the grid), or a volume on the "
       "grid, not 0 inside"},
      {"initial", &o.initial,
       "where iterations start: fdk, hfdk (helices), or a volume on the grid; else from 0 (mlem, osem: a constant)"},
      {"stop_residual", &o.stop_residual, "stop once |b - Ax| / |b| is no larger than this; 0: never", "", 0, 1},
      {"noise", &o.noise,
       "standard deviation of a line integral: stop once the r.m.s. residual is no larger (discrepancy principle); 0: "
       "never",
       "", 0, 1e9},
      {"checkpoint", &o.checkpoint,
       "file for the state of a run, to resume it from; also written after the last "
       "iteration"},
      {"checkpoint_every", &o.checkpoint_every, "iterations from one checkpoint to the next", "", 1, 1e6},
      {"resume", &o.resume, "checkpoint to go on from; --iterations counts from the run's first"},
  };
  for (Parameter& p : describe(o.emission)) list.push_back(std::move(p));
  for (Parameter& p : describe(o.filter)) list.push_back(std::move(p));
  return list;
}

void check(const ReconOptions& o) {
  ReconOptions checked = o;
  for (const Parameter& p : describe(checked)) p.check("reconstruction");
  const std::string several = takes_surrogates(o) ? surrogates : o.method;
  const auto only = [&](const char* option, bool set, const Names& methods, const std::string& problem) {
    const auto takes = [&](const std::string& name) { return name == o.method || name == several; };
    if (!set || std::ranges::any_of(methods, takes)) return;
    const Names head(methods.begin(), methods.end() - 1);
    throw InputError(option, fmt::format("{} {}", o.method, problem),
                     head.empty() ? fmt::format("use {}", methods.back())
                                  : fmt::format("use {} or {}", fmt::join(head, ", "), methods.back()));
  };
  only("subsets", o.subsets > 1, with_subsets, "takes no number of subsets");
  only("relaxation", o.relaxation != 1, relaxed, "takes no relaxation");
  only("relaxation_decay", o.relaxation_decay != 0, relaxed_less, "has no relaxation that falls");
  only("nonnegative", o.nonnegative, clamped, "cannot keep values from being negative");
  only("back_model", o.back_model != "matched", unmatched, "needs the transpose itself");
  only("mask", !o.mask.empty(), iterative, "takes no mask");
  only("initial", !o.initial.empty(), iterative, "has no initial volume");
  const bool emission = o.model == "emission";
  only("model", emission, iterative, "knows no emission");
  only("emission_back", o.emission.emission_back != "matched", unmatched, "needs the transpose itself");
  if (o.emission.given() && !emission)
    throw InputError(
        "emission",
        fmt::format("the options of emission (attenuation, scatter, slices, back) do not go with model {}", o.model),
        "add --model emission");
  if (emission && o.back_model != "matched")
    throw InputError("back_model", "emission has backprojections of its own", "use --emission-back");
  if (emission && (o.packing == "slices" || o.packing == "orbit"))
    throw InputError("packing", "emission packs nothing", "use --packing auto");
  only("stop_residual", o.stop_residual > 0, iterative, "has no iterations to stop");
  only("noise", o.noise > 0, iterative, "has no iterations to stop");
  only("checkpoint", !o.checkpoint.empty(), iterative, "has no iterations to go on from");
  only("resume", !o.resume.empty(), iterative, "has no iterations to go on from");
  only("weights", o.weights != "none", penalized, "takes no weights");
  only("penalty", o.penalty != "none", penalized, "takes no penalty");
  if (o.preconditioner != "diagonal" && o.method != "pcg")
    throw InputError("preconditioner", fmt::format("{} takes no preconditioner", o.method), "use pcg");
  if (!o.back_variant.empty() && o.back_model == "matched")
    throw InputError("back_variant", "the transpose has no variant of its own", "name a --back-model");
}

}  // namespace backlit

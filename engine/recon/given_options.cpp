#include "recon/given_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

using Names = std::vector<std::string>;

const Names in_steps{"ifdk", "sirt", "sart", "ossart", "fista", "cgls", "pcg", "pwls", "mlem", "osem"},
    filtering{"fdk", "ifdk", "hfdk"}, ordered{"sart", "ossart", "fista", "osem", "pwls with subsets"},
    of_penalties{"strength", "penalty_p", "penalty_q", "penalty_edge"};

bool among(const Names& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

bool filters(const std::string& name) {
  FilterOptions any;
  return std::ranges::any_of(describe(any), [&](const Parameter& p) { return p.name == name; });
}

}  // namespace

void check_given(const ReconOptions& o, std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (name == "iterations" && !among(in_steps, o.method))
      throw InputError(name, fmt::format("{} has no iterations", o.method), "choose an iterative method");
    if (name == "subset_order" && !among(ordered, o.method) && !takes_surrogates(o))
      throw InputError(name, fmt::format("{} takes its views all at once", o.method),
                       fmt::format("use {}", fmt::join(ordered, " or ")));
    if (name == "checkpoint_every" && o.checkpoint.empty())
      throw InputError(name, "no checkpoint is written", "add --checkpoint FILE");
    if (among(of_penalties, name) && o.penalty == "none")
      throw InputError(name, "there is no penalty to weigh", "add --method pwls --penalty qggmrf or tv");
    if ((name == "penalty_p" || name == "penalty_q") && o.penalty == "tv")
      throw InputError(name, "tv has no powers", "use --penalty qggmrf");
    if (filters(name) && !among(filtering, o.method) && !starts_filtered(o))
      throw InputError(name, fmt::format("{} filters nothing", o.method),
                       fmt::format("use {}, or --initial fdk", fmt::join(filtering, " or ")));
  }
}

}  // namespace backlit

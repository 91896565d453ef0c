#include <backlit/recon/methods/pwls.hpp>

#include "recon/iterative/ordered_surrogates.hpp"
#include "recon/iterative/penalized_least_squares.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters PwlsOptions::parameters() {
  Parameters list = IterationOptions::parameters();
  list.push_back(choice("weights", weights,
                        "transmission: exp(-b), the share of photons that a ray transmits, times those that a "
                        "clinical scan counts without an object; auto: transmission for counts, none for line "
                        "integrals of unknown noise",
                        {"auto", "none", "transmission"}));
  list.push_back(choice("penalty", penalty,
                        "on differences of neighbours; qggmrf: 26 neighbours; tv: total variation, smoothed",
                        {"none", "qggmrf", "tv"}));
  const char* const some = penalty == Penalty::none ? "`penalty` qggmrf or tv" : "";
  const char* const powers = penalty == Penalty::qggmrf ? "" : "`penalty` qggmrf";
  append(
      list,
      steering(
          {{"strength",
            &strength,
            "of the penalty, as a share of the data's largest curvature; 0: chosen by the noise",
            "",
            0,
            1e6,
            {},
            some},
           {"penalty_p", &penalty_p, "power of small differences", "", 1, 2, {}, powers},
           {"penalty_q", &penalty_q, "power of large differences, no larger than p", "", 1, 2, {}, powers},
           {"penalty_edge", &penalty_edge, "difference from which on edges are kept", "1/mm", 1e-12, 1e12, {}, some}}));
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  append(list, describe(static_cast<RelaxationOptions&>(*this)));
  append(list,
         steering({{"relaxation_decay", &relaxation_decay,
                    "iteration n = 0, 1, ... applies relaxation / (1 + this n); 0: the same share always, which stops "
                    "near the minimum",
                    "", 0, 1e6}}));
  list.push_back({"momentum", &momentum, "the most that Nesterov's t grows to; 1: no momentum", "", 1, 1e6});
  for (const char* name : {"subset_order", "relaxation", "nonnegative", "relaxation_decay", "momentum"})
    if (subsets == 1) find_parameter(list, name).needs = "`subsets` > 1";
  return list;
}

MethodInfo pwls_method() {
  return announce<PwlsOptions>(
      {.name = "pwls",
       .title = "Penalised weighted least squares",
       .paper = "Fessler, Booth, IEEE Trans. Image Process. 8 (1999) 688; with subsets Erdogan, Fessler, Phys. Med. "
                "Biol. 44 (1999) 2835",
       .about = "Low dose and few views: weighs rays by their noise and keeps edges.",
       .usual = {"iterations", "subsets", "penalty", "strength", "penalty_edge", "weights"}},
      [](const ReconInput& input, const PwlsOptions& options) -> std::unique_ptr<Reconstruction> {
        if (options.subsets != 1) return std::make_unique<OrderedSurrogates>(input, options);
        return std::make_unique<PenalizedLeastSquares>(input, options);
      });
}

}  // namespace backlit

#include <backlit/recon/methods/pdhg.hpp>

#include <backlit/core/error.hpp>
#include "recon/iterative/primal_dual.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters PdhgOptions::parameters() {
  const bool constrained = form == Form::constrained;
  Parameters list = IterationOptions::parameters();
  list.push_back(choice("form", form,
                        "penalized: 1/2 |b - Ax|^2 + lambda TV(x); constrained: TV(x) where the r.m.s. residual is no "
                        "larger than `noise`, or the noise estimated from the views",
                        {"penalized", "constrained"}));
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  std::erase_if(list, [](const Parameter& p) { return p.name == "subset_order"; });  // the order is random
  if (constrained) find_parameter(list, "subsets").needs = "`form` penalized";
  append(list, describe(static_cast<TotalVariationOptions&>(*this)));
  list.push_back(
      {"balance", &balance, "length of the duals' steps; longer ones make those of x shorter", "", 1e-6, 1e6});
  append(list, describe(static_cast<BoxOptions&>(*this)));
  return list;
}

void PdhgOptions::check() const {
  IterationOptions::check();
  backlit::check(static_cast<const BoxOptions&>(*this));
}

MethodInfo pdhg_method() {
  return announce<PdhgOptions>(
      {.name = "pdhg",
       .title = "Total variation by primal-dual hybrid gradients",
       .paper = "Chambolle, Pock, J. Math. Imaging Vis. 40 (2011) 120; constrained Sidky, Jorgensen, Pan, Phys. Med. "
                "Biol. 57 (2012) 3065; with subsets Chambolle, Ehrhardt, Richtarik, Schoenlieb, SIAM J. Optim. 28 "
                "(2018) 2783",
       .about = "As tv where the minimum itself is wanted, and for least variation at a given noise.",
       .usual = {"iterations", "form", "subsets", "strength", "lambda"}},
      [](const ReconInput& input, const PdhgOptions& options) {
        PdhgOptions mine = options;
        if (mine.form == PdhgOptions::Form::constrained) mine.subsets = 1;  // one constraint for all rays
        return std::make_unique<PrimalDual>(input, mine);
      });
}

}  // namespace backlit

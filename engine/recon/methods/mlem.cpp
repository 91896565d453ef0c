#include <backlit/recon/methods/mlem.hpp>

#include "recon/iterative/expectation_maximization.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters MlemOptions::parameters() {
  Parameters list = BackModelOptions::parameters();
  list.push_back({"nonnegative", &nonnegative, "always so with this method"});
  return list;
}

MethodInfo mlem_method() {
  return announce<MlemOptions>({.name = "mlem",
                                .title = "Maximum likelihood by expectation maximisation",
                                .paper = "Shepp, Vardi, IEEE Trans. Med. Imaging 1 (1982) 113",
                                .about = "Emission and other counts; values are never negative.",
                                .usual = {"iterations"}},
                               [](const ReconInput& input, const MlemOptions& options) {
                                 return std::make_unique<ExpectationMaximization>(input, options, SubsetOptions{});
                               });
}

}  // namespace backlit

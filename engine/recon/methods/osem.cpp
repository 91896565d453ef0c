#include <backlit/recon/methods/osem.hpp>

#include "recon/iterative/expectation_maximization.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters OsemOptions::parameters() {
  Parameters list = BackModelOptions::parameters();
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  list.push_back({"nonnegative", &nonnegative, "always so with this method"});
  return list;
}

MethodInfo osem_method() {
  return announce<OsemOptions>({.name = "osem",
                                .title = "Expectation maximisation with ordered subsets",
                                .paper = "Hudson, Larkin, IEEE Trans. Med. Imaging 13 (1994) 601",
                                .about = "MLEM, faster by about the number of subsets.",
                                .usual = {"iterations", "subsets"},
                                .suggested = {{"subsets", "10"}}},
                               [](const ReconInput& input, const OsemOptions& options) {
                                 return std::make_unique<ExpectationMaximization>(input, options, options);
                               });
}

}  // namespace backlit

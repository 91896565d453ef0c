#include <backlit/recon/methods/tv.hpp>

#include "recon/iterative/fista_tv.hpp"
#include "recon/methods/methods.hpp"

namespace backlit {

Parameters TvOptions::parameters() {
  Parameters list = IterationOptions::parameters();
  append(list, describe(static_cast<SubsetOptions&>(*this)));
  append(list, describe(static_cast<TotalVariationOptions&>(*this)));
  append(list, steering({{"prox_steps", &prox_steps, "steps of the penalty's dual, a subset", "", 1, 1000}}));
  append(list, describe(static_cast<BoxOptions&>(*this)));
  return list;
}

void TvOptions::check() const {
  IterationOptions::check();
  backlit::check(static_cast<const BoxOptions&>(*this));
}

MethodInfo tv_method() {
  return announce<TvOptions>(
      {.name = "tv",
       .title = "Total variation by FISTA, with ordered subsets",
       .paper = "Beck, Teboulle, IEEE Trans. Image Process. 18 (2009) 2419; with subsets Kim, Ramani, Fessler, IEEE "
                "Trans. Med. Imaging 34 (2015) 167",
       .about = "Few or noisy views of objects in pieces of even density; its strength follows the noise.",
       .usual = {"iterations", "subsets", "strength", "lambda"}},
      [](const ReconInput& input, const TvOptions& options) { return std::make_unique<FistaTv>(input, options); });
}

}  // namespace backlit

// Total variation by FISTA, with ordered subsets: Beck and Teboulle, IEEE Trans. Image Process. 18 (2009) 2419; Kim,
// Ramani and Fessler, IEEE Trans. Med. Imaging 34 (2015) 167.
#pragma once

#include <backlit/recon/total_variation_options.hpp>

namespace backlit {

struct TvOptions : IterationOptions, SubsetOptions, TotalVariationOptions, BoxOptions {
  std::int64_t prox_steps = 1;  ///< dual steps a subset; they begin with the dual of the last subset

  TvOptions() {
    iterations = 20;
    subsets = 0;
  }
  Parameters parameters() override;
  void check() const override;
};

}  // namespace backlit

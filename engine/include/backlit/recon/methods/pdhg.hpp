// Total variation by primal-dual steps: Chambolle and Pock, J. Math. Imaging Vis. 40 (2011) 120; preconditioned as Pock
// and Chambolle, ICCV (2011) 1762; with subsets Chambolle, Ehrhardt, Richtarik and Schoenlieb, SIAM J. Optim. 28 (2018)
// 2783; the constrained form of Sidky, Jorgensen and Pan, Phys. Med. Biol. 57 (2012) 3065.
#pragma once

#include <backlit/recon/total_variation_options.hpp>

namespace backlit {

struct PdhgOptions : IterationOptions, SubsetOptions, TotalVariationOptions, BoxOptions {
  enum class Form {
    penalized,   ///< minimises 1/2 |b - A x|^2 + lambda TV(x)
    constrained  ///< minimises TV(x), the root mean square residual at most the noise
  };
  Form form = Form::penalized;
  double balance = 0.1;  ///< length of the dual steps; longer dual steps make the steps of x shorter

  PdhgOptions() {
    iterations = 30;
    subsets = 0;
  }
  Parameters parameters() override;
  void check() const override;
};

}  // namespace backlit

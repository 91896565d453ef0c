// Adaptive steepest descent and projection onto convex sets: Sidky and Pan, Phys. Med. Biol. 53 (2008) 4777.
#pragma once

#include <backlit/recon/total_variation_options.hpp>

namespace backlit {

/// Names in brackets are the paper's.
struct AsdPocsOptions : IterationOptions, SubsetOptions, BoxOptions {
  double relaxation = 1;           ///< relaxation of the first iteration (beta)
  double relaxation_fall = 0.995;  ///< factor of the relaxation from one iteration to the next (beta_red)
  std::int64_t tv_steps = 20;      ///< steps an iteration (ng)
  double tv_length = 0.01;         ///< length of the first step, as a share of the data step's change (alpha)
  double tv_fall = 0.95;           ///< factor of that length when total variation undoes too much (alpha_red)
  double tv_most = 0.95;           ///< most that it may change, as a share of the data step's change (r_max)

  AsdPocsOptions() {
    iterations = 80;
    subsets = 0;
  }
  Parameters parameters() override;
  void check() const override;
};

}  // namespace backlit

// Adaptive steepest descent and projection onto convex sets: Sidky and Pan, Phys. Med. Biol. 53 (2008) 4777.
#pragma once

#include <backlit/recon/total_variation_options.hpp>

namespace backlit {

/// Names in brackets are the paper's.
struct AsdPocsOptions : IterationOptions, SubsetOptions, BoxOptions {
  double relaxation = 1;           ///< of the first iteration (beta)
  double relaxation_fall = 0.995;  ///< from one iteration to the next (beta_red)
  std::int64_t tv_steps = 20;      ///< an iteration (ng)
  double tv_length = 0.01;         ///< of a first step, as a share of what the data changed (alpha)
  double tv_fall = 0.95;           ///< of that length, where total variation undoes too much (alpha_red)
  double tv_most = 0.95;           ///< what it may undo, as a share of what the data changed (r_max)

  AsdPocsOptions() { subsets = 0; }
  Parameters parameters() override;
  void check() const override;
};

}  // namespace backlit

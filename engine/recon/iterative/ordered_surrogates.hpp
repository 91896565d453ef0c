// Penalised weighted least squares by ordered subsets of separable paraboloidal surrogates (OS-SPS): Erdogan and
// Fessler, Phys. Med. Biol. 44 (1999) 2835; with a relaxation that falls it converges: Ahn and Fessler, IEEE Trans.
// Med. Imaging 22 (2003) 613.
#pragma once

#include "recon/penalized_objective.hpp"

namespace backlit {

/// For each of M subsets s: x += relaxation_n D^-1 (M A_s' W (b_s - A_s x) - beta L(x) x), then what options forbid is
/// taken away. D = A' W A 1 + beta times the largest row sum that |L| can have. With one subset D bounds the whole
/// curvature, so that no step of up to 2 raises the objective; a subset's M A_s' W A_s stands for the whole's, which
/// makes an iteration worth about M, until the subsets pull each other to and fro about the minimum. relaxation_n =
/// relaxation / (1 + relaxation_decay n) in iteration n = 0, 1, ... (its sum grows without limit, that of its squares
/// does not) leads into the minimum. With momentum each subset starts from an x that is extrapolated along the last
/// step (Kim, Ramani and Fessler, IEEE Trans. Med. Imaging 34 (2015) 167). A residual is that before the subset's
/// update.
class OrderedSurrogates final : public PenalizedObjective {
 public:
  /// Throws Unsupported where the backend has no neighbour operations and a penalty is asked for.
  OrderedSurrogates(const ReconInput&, const PwlsOptions&);

 private:
  void begin() override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  /// x = x + (t_k - 1) / t_(k+1) (x - x_before), with t as in FISTA, up to `momentum`.
  void extrapolate();
  /// change_ = what the penalty adds to a subset's A_s' W (b_s - A_s x).
  void open();
  void update();

  double relaxation_, relaxation_decay_;
  ArrayPtr change_, inverse_;  ///< of x; D^-1
  double most_momentum_, t_ = 0;
  ArrayPtr before_;  ///< x one subset ago; null without momentum
};

}  // namespace backlit

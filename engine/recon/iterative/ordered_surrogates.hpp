// Penalised weighted least squares by ordered subsets of separable paraboloidal surrogates (OS-SPS): Erdogan and
// Fessler, Phys. Med. Biol. 44 (1999) 2835; with a decreasing relaxation it converges: Ahn and Fessler, IEEE Trans.
// Med. Imaging 22 (2003) 613.
#pragma once

#include "recon/penalized_objective.hpp"

namespace backlit {

/// For each of M subsets s: x += relaxation_n D^-1 (M A_s' W (b_s - A_s x) - beta L(x) x), then x is constrained. D =
/// A' W A 1 + beta times the largest possible row sum of |L|. With one subset D bounds the whole curvature, so that a
/// relaxation of up to 2 never raises the objective. With subsets M A_s' W A_s approximates the whole curvature. An
/// iteration then has the effect of about M, until the subsets' steps about the minimum cancel each other. relaxation_n
/// = relaxation / (1 + relaxation_decay n) in iteration n = 0, 1, ... leads to the minimum: its sum is infinite, the
/// sum of its squares is finite. With momentum each subset starts from an x that is extrapolated along the last step
/// (Kim, Ramani and Fessler, IEEE Trans. Med. Imaging 34 (2015) 167). A residual is that before the subset's update.
class OrderedSurrogates final : public PenalizedObjective {
 public:
  /// Throws Unsupported when options have a penalty and the backend has no neighbour operations.
  OrderedSurrogates(const ReconInput&, const PwlsOptions&);

 private:
  void begin() override;
  void take(const MethodOptions&) override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  /// x = x + (t_k - 1) / t_(k+1) (x - x_before), with t as in FISTA, up to `momentum`.
  void extrapolate();
  /// change_ = the penalty's term beside a subset's A_s' W (b_s - A_s x).
  void open();
  void update();

  double relaxation_, relaxation_decay_;
  double first_ = 0;           ///< iterations before the relaxation began to fall
  ArrayPtr change_, inverse_;  ///< change of x; D^-1
  double most_momentum_, t_ = 0;
  ArrayPtr before_;  ///< x one subset ago; null without momentum
};

}  // namespace backlit

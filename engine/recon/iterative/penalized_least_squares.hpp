// Penalised weighted least squares by preconditioned nonlinear conjugate gradients, with the step that minimises a
// surrogate of the penalty along the line: Fessler and Booth, IEEE Trans. Image Process. 8 (1999) 688.
#pragma once

#include "recon/penalized_objective.hpp"

namespace backlit {

/// The objective never rises. The blocks' data hold the residual b - A x during iterations.
class PenalizedLeastSquares final : public PenalizedObjective {
 public:
  /// Throws Unsupported when options have a penalty and the backend has no neighbour operations.
  PenalizedLeastSquares(const ReconInput&, const PwlsOptions&);

 private:
  void prepare(ViewBlock&) override;
  void begin() override;
  void take(const MethodOptions&) override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  void precondition();
  void turn();     ///< a new direction from the gradient
  void advance();  ///< steps along the direction

  ArrayPtr gradient_, direction_, preconditioner_, scaled_, before_, penalty_work_;
  double gradient_square_ = 0, slope_ = 0, curvature_ = 0;
};

}  // namespace backlit

// Penalised weighted least squares by preconditioned nonlinear conjugate gradients, with the step that minimises a
// surrogate of the penalty along the line: Fessler and Booth, IEEE Trans. Image Process. 8 (1999) 688.
#pragma once

#include "backend/neighbour_penalty.hpp"
#include "recon/iterative.hpp"

namespace backlit {

/// Minimises 1/2 sum_i w_i (b - A x)_i^2 + beta sum rho(differences of neighbours), which never rises. w is 1, or
/// exp(-b), the share of photons that a ray kept: what statistics weigh line integrals by. beta is `strength` times the
/// largest row sum of A' W A, so that a strength means the same for every scan and unit. The blocks' data become the
/// residual b - A x; residuals told are not weighted.
class PenalizedLeastSquares final : public IterativeReconstruction {
 public:
  /// Throws Unsupported where the backend has no neighbour operations and a penalty is asked for.
  PenalizedLeastSquares(Backend&, std::shared_ptr<ProjectionSource>, const VolumeGrid&, const ReconOptions&);

 private:
  void prepare(ViewBlock&) override;
  void begin() override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  /// y = W y for a block's rays.
  void weigh(const ViewBlock&, DeviceArray& y);
  /// penalty_work_ = L(x) d, if there is a penalty.
  bool stiffen(const DeviceArray& d);
  void turn();     ///< a new direction from the gradient
  void advance();  ///< along the direction

  bool weighted_;
  NeighbourOperations* neighbours_ = nullptr;  ///< null without a penalty
  NeighbourPenalty penalty_;
  float beta_ = 0;
  std::vector<ArrayPtr> weights_;  ///< of each block
  ArrayPtr gradient_, direction_, preconditioner_, scaled_, before_, penalty_work_;
  double gradient_square_ = 0, slope_ = 0, curvature_ = 0;
};

}  // namespace backlit

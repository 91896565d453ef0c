// CGLS and PCG: conjugate gradients on the normal equations. Hestenes and Stiefel, J. Res. Natl. Bur. Stand. 49 (1952)
// 409, in the CGLS form of Björck, Numerical Methods for Least Squares Problems (1996), section 7.4; the diagonal
// preconditioner is the separable surrogate's curvature, Fessler and Booth, IEEE Trans. Image Process. 8 (1999) 688.
#pragma once

#include "recon/iterative/iterative.hpp"

namespace backlit {

/// Minimises |b - A x| over the voxels of the mask. The blocks' data become the residual b - A x as iterations go, so
/// residuals are those after an iteration and never rise. Preconditioned, directions are made of M A'(b - A x) with
/// M = 1 / (A' A 1), voxel by voxel: A' A 1 bounds the diagonal of A' A as its row sums, for A and x that are not
/// negative. M evens out how well voxels are seen.
class ConjugateGradients final : public IterativeReconstruction {
 public:
  ConjugateGradients(const ReconInput&, const IterationOptions&, bool preconditioned);

 private:
  void prepare(ViewBlock&) override;
  void begin() override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  void make_preconditioner();
  void turn();     ///< a new direction from the gradient
  void advance();  ///< along the direction to the least residual

  ArrayPtr gradient_, direction_;
  ArrayPtr preconditioner_;  ///< M; null for CGLS
  ArrayPtr scaled_;          ///< M gradient
  double gradient_square_ = 0, projected_square_ = 0;
};

}  // namespace backlit

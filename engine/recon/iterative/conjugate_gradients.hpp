// CGLS and PCG: conjugate gradients on the normal equations. Hestenes and Stiefel, J. Res. Natl. Bur. Stand. 49 (1952)
// 409, in the CGLS form of Björck, Numerical Methods for Least Squares Problems (1996), section 7.4; the diagonal
// preconditioner is the separable surrogate's curvature, Fessler and Booth, IEEE Trans. Image Process. 8 (1999) 688.
#pragma once

#include "recon/iterative/iterative.hpp"

namespace backlit {

/// Minimises |b - A x| over the voxels of the mask. The blocks' data hold the residual b - A x during iterations. So
/// residuals are those after an iteration, and they never rise. The preconditioned variant makes directions from M A'(b
/// - A x) with M = 1 / (A' A 1), voxel by voxel. The row sums A' A 1 bound the diagonal of A' A when A has no negative
/// entries. M corrects for voxels that different numbers of rays cross.
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
  void advance();  ///< steps along the direction to the smallest residual

  ArrayPtr gradient_, direction_;
  ArrayPtr preconditioner_;  ///< M; null for CGLS
  ArrayPtr scaled_;          ///< M gradient
  double gradient_square_ = 0, projected_square_ = 0;
};

}  // namespace backlit

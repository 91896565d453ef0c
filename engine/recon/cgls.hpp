// Conjugate gradients on the normal equations: Hestenes and Stiefel, J. Res. Natl. Bur. Stand. 49 (1952) 409, in the
// CGLS form of Björck, Numerical Methods for Least Squares Problems (1996), section 7.4.
#pragma once

#include "recon/iterative.hpp"

namespace backlit {

/// Minimises |b - A x|. The blocks' data become the residual b - A x as iterations go. Residuals are those after an
/// iteration and never rise.
class Cgls final : public IterativeReconstruction {
 public:
  Cgls(Backend&, std::shared_ptr<ProjectionSource>, const VolumeGrid&, const ReconOptions&);

 private:
  void prepare(ViewBlock&) override;
  void visit(int pass, ViewBlock&) override;
  void turn();     ///< a new direction from the gradient
  void advance();  ///< along the direction to the least residual

  ArrayPtr gradient_, direction_;
  double gradient_square_ = 0, projected_square_ = 0;
};

}  // namespace backlit

// FISTA: Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009) 183, with SIRT's or OS-SART's step in place of the gradient
// step: Xu, Yang, Tan, Sawatzky and Anastasio, Med. Phys. 43 (2016) 1849; Kim, Ramani and Fessler, IEEE Trans. Med.
// Imaging 34 (2015) 167.
#pragma once

#include <backlit/recon/methods/fista.hpp>
#include "recon/subset_relaxation.hpp"

namespace backlit {

/// An iteration starts from z = x + (t_k - 1) / t_(k+1) (x - x_before), t_1 = 1, t_(k+1) = (1 + sqrt(1 + 4 t_k^2)) / 2.
/// It is an iteration of SIRT (one subset) or OS-SART. Without subsets and with relaxation up to 1 it is FISTA in
/// SIRT's norms, because C^-1 bounds A' R A. Then it converges as 1 / k^2, with non-negativity too. With subsets it is
/// faster at first and may not reach the minimum.
class Fista final : public SubsetRelaxation {
 public:
  Fista(const ReconInput&, const FistaOptions&);

 private:
  void begin() override;
  void take(const MethodOptions&) override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  void extrapolate();

  ArrayPtr before_;  ///< x one iteration ago
  double t_ = 0;     ///< t_k; 0 before the first iteration, which has no momentum
};

}  // namespace backlit

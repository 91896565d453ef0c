// FISTA with total variation and ordered subsets.
#pragma once

#include <backlit/recon/methods/tv.hpp>
#include "recon/iterative/iterative.hpp"
#include "recon/total_variation.hpp"

namespace backlit {

/// Minimises 1/2 |b - A x|^2 + lambda TV(x) over the box and the mask. For each of M subsets, from
/// y = x + (t - 1) / t' (x - x_before), t' = (1 + sqrt(1 + 4 t^2)) / 2:
///
///   x = prox of lambda / L TV at y + M / L A_s'(b_s - A_s y),  L = max A'A 1 >= |A|^2
///
/// With one subset that is FISTA, and converges as 1 / k^2. With more subsets t stops at 10, so that the momentum does
/// not amplify the differences between subsets. A residual is that of each subset's y.
class FistaTv final : public IterativeReconstruction {
 public:
  FistaTv(const ReconInput&, const TvOptions&);
  std::vector<std::pair<std::string, double>> chosen() const override;

 private:
  void begin() override;
  void take(const MethodOptions&) override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  void extrapolate();
  void update();

  TvOptions tv_;
  std::shared_ptr<ProjectionSource> views_;
  DualField dual_;
  ArrayPtr change_, before_;
  NoiseChoice choice_;
  double curvature_ = 0;  ///< L
  double t_ = 0;          ///< 0 before the first step, which has no momentum
};

}  // namespace backlit

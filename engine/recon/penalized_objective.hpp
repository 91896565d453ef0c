// Weighted least squares with a penalty on neighbours: what the methods that minimise it share.
#pragma once

#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/recon/methods/pwls.hpp>
#include "recon/iterative/iterative.hpp"

namespace backlit {

/// 1/2 sum_i w_i (b - A x)_i^2 + beta sum rho(differences of neighbours). w is 1, or exp(-b), the share of photons that
/// a ray kept: what statistics weigh line integrals by. beta is `strength` times the largest row sum of A' W A, so that
/// a strength means the same for every scan and unit. For a strength of 0 it is twice the weight that suits total
/// variation, over the edge, beyond which q-GGMRF grows nearly as that does (docs/methods/pwls.md). Residuals told are
/// not weighted.
class PenalizedObjective : public IterativeReconstruction {
 protected:
  /// Throws Unsupported where the backend has no neighbour operations and a penalty is asked for.
  PenalizedObjective(const ReconInput&, const PwlsOptions&, const SubsetOptions&, int passes);
  std::vector<std::pair<std::string, double>> chosen() const override { return chosen_; }

  /// Makes the block's weights from its data.
  void prepare(ViewBlock&) override;
  /// y = W y for a block's rays.
  void weigh(const ViewBlock&, DeviceArray& y);
  bool has_penalty() const { return neighbours_ != nullptr; }
  /// y = L(x) d, where there is a penalty; y is neither x nor d.
  void stiffen(const DeviceArray& x, const DeviceArray& d, DeviceArray& y) {
    neighbours_->stiffness(penalty_, x, d, y);
  }
  /// sums += A' W A 1 over the mask, the rows' sums of A' W A, which bound it as a diagonal; sets beta_ from the
  /// largest, which is returned. `ones` is overwritten.
  float add_data_curvature(DeviceArray& ones, DeviceArray& sums);

  NeighbourPenalty penalty_;
  float beta_ = 0;

 private:
  double weight_by_noise();
  bool weighted_;
  double strength_, edge_;
  std::shared_ptr<ProjectionSource> views_;
  std::vector<std::pair<std::string, double>> chosen_;
  NeighbourOperations* neighbours_ = nullptr;  ///< null without a penalty
  std::vector<ArrayPtr> weights_;              ///< of each block
};

}  // namespace backlit

// Weighted least squares with a penalty on neighbours: the common part of the methods that minimise it.
#pragma once

#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/recon/methods/pwls.hpp>
#include "recon/iterative/iterative.hpp"
#include "recon/total_variation.hpp"

namespace backlit {

/// 1/2 sum_i w_i (b - A x)_i^2 + beta sum rho(differences of neighbours). w is 1, or exp(-b), the share of photons that
/// passes along a ray: the statistical weight of a line integral. It is multiplied by the photons of the ray's column
/// over their mean where a scan says how many there are. beta is `strength` times the largest row sum of A' W
/// A, so that a strength means the same for every scan and unit. For a strength of 0, beta follows from
/// choose_lambda()'s weight: four times that weight over the edge for q-GGMRF, once for tv. Beyond the edge q-GGMRF
/// grows nearly like total variation (docs/methods/pwls.md). Reported residuals are not weighted.
class PenalizedObjective : public IterativeReconstruction {
 protected:
  /// Throws Unsupported when options have a penalty and the backend has no neighbour operations.
  PenalizedObjective(const ReconInput&, const PwlsOptions&, const SubsetOptions&, int passes);
  std::vector<std::pair<std::string, double>> chosen() const override { return chosen_; }

  /// Makes the block's weights from its data.
  void prepare(ViewBlock&) override;
  void take(const MethodOptions&) override;
  /// y = W y for a block's rays.
  void weigh(const ViewBlock&, DeviceArray& y);
  bool has_penalty() const { return neighbours_ != nullptr; }
  /// y = L(x) d, with a penalty only; y is neither x nor d.
  void stiffen(const DeviceArray& x, const DeviceArray& d, DeviceArray& y) {
    neighbours_->stiffness(penalty_, x, d, y);
  }
  /// sums += A' W A 1 over the mask: the row sums of A' W A, a diagonal upper bound of it. Sets beta_ from the largest
  /// sum and returns that sum. `ones` is overwritten.
  float add_data_curvature(DeviceArray& ones, DeviceArray& sums);

  NeighbourPenalty penalty_;
  float beta_ = 0;

 private:
  double weight_by_noise();
  void set_penalty(const PwlsOptions&);
  /// weights *= photons of the block's views over their mean.
  void weigh_by_photons(const Subset& views, DeviceArray& weights);
  bool weighted_;
  std::shared_ptr<const std::vector<float>> photons_;  ///< null: the same for all rays
  double mean_photons_ = 1;
  double strength_ = 0, edge_ = 0;
  NoiseChoice choice_;
  std::shared_ptr<ProjectionSource> views_;
  std::vector<std::pair<std::string, double>> chosen_;
  NeighbourOperations* neighbours_ = nullptr;  ///< null without a penalty
  std::vector<ArrayPtr> weights_;              ///< weights of each block
};

}  // namespace backlit

#include "recon/penalized_objective.hpp"

#include "recon/total_variation.hpp"

namespace backlit {

PenalizedObjective::PenalizedObjective(const ReconInput& input, const PwlsOptions& options,
                                       const SubsetOptions& subsets, int passes)
    : IterativeReconstruction(input, options, subsets, passes, options.nonnegative),
      weighted_(options.weights == PwlsOptions::Weights::transmission),
      strength_(options.strength),
      edge_(options.penalty_edge),
      views_(input.source) {
  if (options.penalty == PwlsOptions::Penalty::none) return;
  using Kind = NeighbourPenalty::Kind;
  penalty_ = make_neighbour_penalty(options.penalty == PwlsOptions::Penalty::tv ? Kind::tv : Kind::qggmrf,
                                    options.penalty_p, options.penalty_q, options.penalty_edge, input.grid.spacing);
  neighbours_ = &neighbours_of(input.backend);
}

void PenalizedObjective::prepare(ViewBlock& block) {
  weights_.resize(blocks_.size());
  if (!weighted_) return;
  ArrayPtr& weights = weights_[static_cast<std::size_t>(&block - blocks_.data())];
  weights = operator_->make_range(block.views.count);
  backend_.axpy(-1, *block.data, *weights);
  backend_.exponential(*weights);
}

void PenalizedObjective::weigh(const ViewBlock& block, DeviceArray& y) {
  if (weighted_) backend_.multiply(*weights_[static_cast<std::size_t>(&block - blocks_.data())], y);
}

float PenalizedObjective::add_data_curvature(DeviceArray& ones, DeviceArray& sums) {
  backend_.fill(ones, 1);
  apply_mask(ones);
  for (ViewBlock& block : blocks_) {
    DeviceArray& projected = scratch(block);
    operator_->forward(ones, projected, block.views, Write::overwrite);
    weigh(block, projected);
    operator_->back(projected, sums, block.views, Write::accumulate);
  }
  const float most = backend_.maximum(sums);
  if (neighbours_) beta_ = strength_ > 0 ? static_cast<float>(strength_) * most : static_cast<float>(weight_by_noise());
  if (neighbours_ && most > 0) chosen_.emplace_back("strength", static_cast<double>(beta_ / most));
  return most;
}

double PenalizedObjective::weight_by_noise() {
  const NoiseChoice choice = choose_lambda({}, options_.noise, backend_, *operator_, *views_);
  chosen_ = {{"noise", choice.noise}};
  double weights = 0, rays = 0;  // A' W noise is smaller than A' noise by about the mean weight
  for (const ArrayPtr& w : weights_) {
    if (w) weights += backend_.sum(*w);
    if (w) rays += static_cast<double>(w->count());
  }
  const double smoothed = penalty_.kind == NeighbourPenalty::Kind::tv ? 1 : 2;
  return smoothed * choice.lambda / edge_ * (rays > 0 ? weights / rays : 1);
}

}  // namespace backlit

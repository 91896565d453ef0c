#include "recon/penalized_objective.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

NeighbourOperations& operations(Backend& backend) {
  if (auto* operations = backend.neighbours()) return *operations;
  throw Unsupported("penalty", fmt::format("the {} backend has none", backend.name()),
                    "use `backend` cpu, gl or cuda, or `penalty` none");
}

}  // namespace

PenalizedObjective::PenalizedObjective(const ReconInput& input, const PwlsOptions& options,
                                       const SubsetOptions& subsets, int passes)
    : IterativeReconstruction(input, options, subsets, passes, options.nonnegative),
      weighted_(options.weights == PwlsOptions::Weights::transmission),
      strength_(options.strength) {
  if (options.penalty == PwlsOptions::Penalty::none) return;
  using Kind = NeighbourPenalty::Kind;
  penalty_ = make_neighbour_penalty(options.penalty == PwlsOptions::Penalty::tv ? Kind::tv : Kind::qggmrf,
                                    options.penalty_p, options.penalty_q, options.penalty_edge, input.grid.spacing);
  neighbours_ = &operations(input.backend);
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
  beta_ = neighbours_ ? static_cast<float>(strength_) * most : 0;
  return most;
}

}  // namespace backlit

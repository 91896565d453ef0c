#include "recon/penalized_least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace backlit {
namespace {

NeighbourOperations& operations(Backend& backend, const std::string& penalty) {
  if (auto* operations = backend.neighbours()) return *operations;
  throw Unsupported("penalty", fmt::format("the {} backend has no {}", backend.name(), penalty),
                    "use --backend cpu, gl or cuda, or --penalty none");
}

}  // namespace

PenalizedLeastSquares::PenalizedLeastSquares(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                             const VolumeGrid& grid, const ReconOptions& options)
    : IterativeReconstruction(backend, std::move(source), grid, options, 1, 2),
      weighted_(options.weights == "transmission"),
      gradient_(operator_->make_domain()),
      direction_(operator_->make_domain()),
      preconditioner_(operator_->make_domain()),
      scaled_(operator_->make_domain()),
      before_(operator_->make_domain()) {
  if (options.penalty == "none") return;
  using Kind = NeighbourPenalty::Kind;
  penalty_ = make_neighbour_penalty(options.penalty == "tv" ? Kind::tv : Kind::qggmrf, options.penalty_p,
                                    options.penalty_q, options.penalty_edge, grid.spacing);
  neighbours_ = &operations(backend, options.penalty);
  penalty_work_ = operator_->make_domain();
}

void PenalizedLeastSquares::prepare(ViewBlock& block) {
  block.extra = operator_->make_range(block.views.count);
  weights_.resize(blocks_.size());
  if (!weighted_) return;
  ArrayPtr& weights = weights_[static_cast<std::size_t>(&block - blocks_.data())];
  weights = operator_->make_range(block.views.count);
  backend_.axpy(-1, *block.data, *weights);
  backend_.exponential(*weights);
}

void PenalizedLeastSquares::weigh(const ViewBlock& block, DeviceArray& y) {
  if (weighted_) backend_.multiply(*weights_[static_cast<std::size_t>(&block - blocks_.data())], y);
}

bool PenalizedLeastSquares::stiffen(const DeviceArray& d) {
  if (neighbours_) neighbours_->stiffness(penalty_, *volume_, d, *penalty_work_);
  return neighbours_ != nullptr;
}

// The diagonal of A' W A and of the penalty are no larger than their rows' sums: A' W A 1, and 2 beta, for omega and
// the shares' sum are 1 at most (tv: up to 6 differences).
void PenalizedLeastSquares::begin() {
  DeviceArray& ones = *direction_;  // for a moment
  backend_.fill(ones, 1);
  apply_mask(ones);
  for (ViewBlock& block : blocks_) {
    operator_->forward(ones, *block.extra, block.views, Write::overwrite);
    weigh(block, *block.extra);
    operator_->back(*block.extra, *gradient_, block.views, Write::accumulate);
  }
  const float most = backend_.maximum(*gradient_);
  beta_ = neighbours_ ? static_cast<float>(options_.strength) * most : 0;
  backend_.fill(*scaled_, (penalty_.kind == NeighbourPenalty::Kind::tv ? 12.0f : 2.0f) * beta_);
  backend_.axpy(1, *gradient_, *scaled_);
  backend_.fill(*preconditioner_, 1);
  backend_.divide(*scaled_, *preconditioner_, grazing * most);
  backend_.fill(*direction_, 0);
  if (!has_initial()) return;
  for (ViewBlock& block : blocks_) {
    operator_->forward(*volume_, *block.extra, block.views, Write::overwrite);
    backend_.axpy(-1, *block.extra, *block.data);
  }
}

void PenalizedLeastSquares::visit(int pass, ViewBlock& block) {
  DeviceArray& work = scratch(block);
  if (pass == 0) {
    if (block.opens) backend_.fill(*gradient_, 0);
    backend_.copy(*block.data, work);
    weigh(block, work);
    backproject(work, *gradient_, block.views);
    if (block.closes) turn();
  } else {
    if (block.opens) curvature_ = 0;
    project(*direction_, *block.extra, block.views);
    backend_.copy(*block.extra, work);
    weigh(block, work);
    curvature_ += backend_.dot(work, *block.extra);
    if (block.closes) advance();
  }
}

// Polak and Ribiere's share of the old direction, none where that would lead uphill.
void PenalizedLeastSquares::turn() {
  if (stiffen(*volume_)) backend_.axpy(-beta_, *penalty_work_, *gradient_);
  apply_mask(*gradient_);
  backend_.copy(*gradient_, *scaled_);
  backend_.multiply(*preconditioner_, *scaled_);
  const double square = backend_.dot(*gradient_, *scaled_);
  const double change = square - backend_.dot(*before_, *scaled_);
  const double share = gradient_square_ > 0 ? std::max(0.0, change / gradient_square_) : 0;
  gradient_square_ = square;
  backend_.scale(*direction_, static_cast<float>(share));
  backend_.axpy(1, *scaled_, *direction_);
  slope_ = backend_.dot(*gradient_, *direction_);
  if (!(slope_ > 0)) {
    backend_.copy(*scaled_, *direction_);
    slope_ = square;
  }
  backend_.copy(*gradient_, *before_);
}

void PenalizedLeastSquares::advance() {
  if (stiffen(*direction_)) curvature_ += static_cast<double>(beta_) * backend_.dot(*direction_, *penalty_work_);
  const auto length = static_cast<float>(curvature_ > 0 ? slope_ / curvature_ : 0);
  backend_.axpy(length, *direction_, *volume_);
  for (ViewBlock& block : blocks_) {
    backend_.axpy(-length, *block.extra, *block.data);
    add_residual(*block.data);
  }
}

void PenalizedLeastSquares::remember(RunState& state) {
  state.numbers.emplace_back("gradient_square", &gradient_square_);
  state.arrays.emplace_back("direction", direction_.get());
  state.arrays.emplace_back("gradient before", before_.get());
  for (const ViewBlock& block : blocks_)
    state.arrays.emplace_back(fmt::format("residual of views {}+", block.views.first), block.data.get());
}

}  // namespace backlit

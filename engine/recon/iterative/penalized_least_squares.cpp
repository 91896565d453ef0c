#include "recon/iterative/penalized_least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace backlit {

PenalizedLeastSquares::PenalizedLeastSquares(const ReconInput& input, const PwlsOptions& options)
    : PenalizedObjective(input, options, {}, 2),
      gradient_(operator_->make_domain()),
      direction_(operator_->make_domain()),
      preconditioner_(operator_->make_domain()),
      scaled_(operator_->make_domain()),
      before_(operator_->make_domain()) {
  if (has_penalty()) penalty_work_ = operator_->make_domain();
}

void PenalizedLeastSquares::prepare(ViewBlock& block) {
  block.extra = operator_->make_range(block.views.count);
  PenalizedObjective::prepare(block);
}

// The preconditioner bounds the diagonals of A' W A and of the penalty by their row sums. These are A' W A 1, and 2
// beta because omega and the sum of the shares are at most 1 (tv: up to 6 differences, 12 beta).
void PenalizedLeastSquares::precondition() {
  backend_.fill(*gradient_, 0);
  const float most = add_data_curvature(*direction_, *gradient_);
  backend_.fill(*scaled_, (penalty_.kind == NeighbourPenalty::Kind::tv ? 12.0f : 2.0f) * beta_);
  backend_.axpy(1, *gradient_, *scaled_);
  backend_.fill(*preconditioner_, 1);
  backend_.divide(*scaled_, *preconditioner_, grazing * most);
  backend_.fill(*direction_, 0);
}

void PenalizedLeastSquares::take(const MethodOptions& options) {
  PenalizedObjective::take(options);
  precondition();
  gradient_square_ = 0;  // the next direction is the gradient
}

void PenalizedLeastSquares::begin() {
  precondition();
  if (!has_initial()) return;
  for (ViewBlock& block : blocks_) {
    operator_->forward(*volume_, *block.extra, block.views, Write::overwrite);
    backend_.axpy(-1, *block.extra, *block.data);
  }
}

void PenalizedLeastSquares::visit(int pass, ViewBlock& block) {
  DeviceArray& work = scratch(block);
  if (pass == 0) {
    backend_.copy(*block.data, work);
    weigh(block, work);
    backproject(work, *gradient_, block.views, first_overwrites(block));
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

// Polak and Ribiere's formula; restarts from the gradient where the direction would raise the objective.
void PenalizedLeastSquares::turn() {
  if (has_penalty()) {
    stiffen(*volume_, *volume_, *penalty_work_);
    backend_.axpy(-beta_, *penalty_work_, *gradient_);
  }
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
  if (has_penalty()) {
    stiffen(*volume_, *direction_, *penalty_work_);
    curvature_ += static_cast<double>(beta_) * backend_.dot(*direction_, *penalty_work_);
  }
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

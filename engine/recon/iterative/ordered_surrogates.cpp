#include "recon/iterative/ordered_surrogates.hpp"

#include <algorithm>
#include <cmath>

namespace backlit {
namespace {

/// The largest row sum of |L(x)| for any x. A row has the sum of its differences' weights on the diagonal and their
/// negatives beside it: twice the sum. The shares of qggmrf sum to 1, tv has up to 6 differences. omega falls, so it is
/// largest for a difference of 0: 1 for tv and for p = 2 > q, 1/2 for p = q = 2, and the limit of omega at its pole for
/// p < 2.
float most_stiffness(const NeighbourPenalty& penalty) {
  return (penalty.kind == NeighbourPenalty::Kind::tv ? 12.0f : 2.0f) * penalty.omega(0.0f);
}

}  // namespace

OrderedSurrogates::OrderedSurrogates(const ReconInput& input, const PwlsOptions& options)
    : PenalizedObjective(input, options, options, 1),
      relaxation_(options.relaxation),
      relaxation_decay_(options.relaxation_decay),
      change_(operator_->make_domain()),
      inverse_(operator_->make_domain()),
      most_momentum_(options.momentum) {
  if (most_momentum_ > 1) before_ = operator_->make_domain();
  keep_finished();
}

void OrderedSurrogates::take(const MethodOptions& options) {
  PenalizedObjective::take(options);
  const auto& mine = dynamic_cast<const PwlsOptions&>(options);
  relaxation_ = mine.relaxation;
  relaxation_decay_ = mine.relaxation_decay;
  first_ = static_cast<double>(residuals().size());
  t_ = 0;
  backend_.fill(*change_, 0);
  begin();
}

void OrderedSurrogates::begin() {
  const float most = add_data_curvature(*inverse_, *change_);
  backend_.fill(*inverse_, has_penalty() ? most_stiffness(penalty_) * beta_ : 0);
  backend_.axpy(1, *inverse_, *change_);
  backend_.fill(*inverse_, 1);
  backend_.divide(*change_, *inverse_, grazing * most);
  if (before_) backend_.copy(*volume_, *before_);
}

void OrderedSurrogates::visit(int, ViewBlock& block) {
  if (block.opens && before_) extrapolate();
  if (block.opens && has_penalty()) open();
  DeviceArray& residual = scratch(block);
  project(*volume_, residual, block.views);
  backend_.subtract_from(*block.data, residual);
  add_residual(residual);
  weigh(block, residual);
  backproject(residual, *change_, block.views, has_penalty() ? Write::accumulate : first_overwrites(block));
  if (block.closes) update();
}

void OrderedSurrogates::extrapolate() {
  const double next = std::min(most_momentum_, (1 + std::sqrt(1 + 4 * t_ * t_)) / 2);
  const auto momentum = static_cast<float>((t_ - 1) / next);
  t_ = next;
  backlit::extrapolate(backend_, momentum, *volume_, *before_);
  std::swap(volume_, before_);
}

void OrderedSurrogates::remember(RunState& state) {
  if (!before_) return;
  state.numbers.emplace_back("t", &t_);
  state.arrays.emplace_back("x before", before_.get());
}

void OrderedSurrogates::open() {
  stiffen(*volume_, *volume_, *change_);
  backend_.scale(*change_, -beta_ / static_cast<float>(subsets()));
}

void OrderedSurrogates::update() {
  const double share = relaxation_ / (1 + relaxation_decay_ * (static_cast<double>(residuals().size()) - first_));
  backend_.multiply(*inverse_, *change_);
  backend_.axpy(static_cast<float>(share * static_cast<double>(subsets())), *change_, *volume_);
  constrain(*volume_);
}

}  // namespace backlit

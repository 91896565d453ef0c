#include "recon/iterative/fista_tv.hpp"

#include <algorithm>
#include <cmath>

namespace backlit {
namespace {

constexpr double most_momentum = 10;  // t's limit with subsets

}  // namespace

FistaTv::FistaTv(const ReconInput& input, const TvOptions& options)
    : IterativeReconstruction(input, options, options, 1),
      tv_(options),
      views_(input.source),
      dual_(backend_, *operator_, input.grid, options, false),
      change_(operator_->make_domain()),
      before_(operator_->make_domain()) {
  keep_finished();
}

void FistaTv::begin() {
  backend_.fill(*before_, 1);
  apply_mask(*before_);
  for (ViewBlock& block : blocks_) {
    DeviceArray& projected = scratch(block);
    operator_->forward(*before_, projected, block.views, Write::overwrite);
    operator_->back(projected, *change_, block.views, Write::accumulate);
  }
  curvature_ = static_cast<double>(backend_.maximum(*change_));
  choice_ = choose_lambda(tv_, options_.noise, backend_, *operator_, *views_);
  backend_.copy(*volume_, *before_);
}

void FistaTv::take(const MethodOptions& options) {
  tv_ = dynamic_cast<const TvOptions&>(options);
  choice_ = choose_lambda(tv_, options_.noise, backend_, *operator_, *views_, choice_);
  dual_.set_box(tv_);
  backend_.copy(*volume_, *before_);
  t_ = 0;
}

void FistaTv::visit(int, ViewBlock& block) {
  if (block.opens) extrapolate();
  DeviceArray& residual = scratch(block);
  project(*volume_, residual, block.views);
  backend_.subtract_from(*block.data, residual);
  add_residual(residual);
  backproject(residual, *change_, block.views, first_overwrites(block));
  if (block.closes) update();
}

/// Replaces x by y, and x_before by x.
void FistaTv::extrapolate() {
  double next = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
  if (subsets() > 1) next = std::min(next, most_momentum);
  const auto momentum = static_cast<float>((t_ - 1) / next);
  t_ = next;
  backlit::extrapolate(backend_, momentum, *volume_, *before_);
  std::swap(volume_, before_);
}

void FistaTv::update() {
  if (!(curvature_ > 0)) return;  // no ray meets a voxel
  backend_.axpy(static_cast<float>(static_cast<double>(subsets()) / curvature_), *change_, *volume_);
  const auto radius = static_cast<float>(choice_.lambda / curvature_);
  dual_.denoise(*volume_, *change_, radius, tv_.prox_steps, mask_.get());
  std::swap(volume_, change_);
}

std::vector<std::pair<std::string, double>> FistaTv::chosen() const {
  if (curvature_ == 0) return {};
  return {{"subsets", static_cast<double>(subsets())}, {"noise", choice_.noise}, {"lambda", choice_.lambda}};
}

void FistaTv::remember(RunState& state) {
  state.numbers.emplace_back("t", &t_);
  state.numbers.emplace_back("lambda", &choice_.lambda);
  state.arrays.emplace_back("x before", before_.get());
  dual_.remember(state);
}

}  // namespace backlit

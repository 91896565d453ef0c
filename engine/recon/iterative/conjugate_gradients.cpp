#include "recon/iterative/conjugate_gradients.hpp"

#include <fmt/format.h>

namespace backlit {

ConjugateGradients::ConjugateGradients(const ReconInput& input, const IterationOptions& options, bool preconditioned)
    : IterativeReconstruction(input, options, {}, 2),
      gradient_(operator_->make_domain()),
      direction_(operator_->make_domain()) {
  if (!preconditioned) return;
  preconditioner_ = operator_->make_domain();
  scaled_ = operator_->make_domain();
}

void ConjugateGradients::prepare(ViewBlock& block) { block.extra = operator_->make_range(block.views.count); }

void ConjugateGradients::begin() {
  if (preconditioner_) make_preconditioner();
  if (!has_initial()) return;
  for (ViewBlock& block : blocks_) {
    operator_->forward(*volume_, *block.extra, block.views, Write::overwrite);
    backend_.axpy(-1, *block.extra, *block.data);
  }
}

void ConjugateGradients::make_preconditioner() {
  DeviceArray& ones = *direction_;  // used as work array here
  backend_.fill(ones, 1);
  apply_mask(ones);
  for (ViewBlock& block : blocks_) {
    operator_->forward(ones, *block.extra, block.views, Write::overwrite);
    operator_->back(*block.extra, *gradient_, block.views, Write::accumulate);
  }
  backend_.fill(*preconditioner_, 1);
  backend_.divide(*gradient_, *preconditioner_, grazing * backend_.maximum(*gradient_));
  backend_.fill(*direction_, 0);
}

void ConjugateGradients::visit(int pass, ViewBlock& block) {
  if (pass == 0) {
    backproject(*block.data, *gradient_, block.views, first_overwrites(block));
    if (block.closes) turn();
  } else {
    if (block.opens) projected_square_ = 0;
    project(*direction_, *block.extra, block.views);
    projected_square_ += backend_.dot(*block.extra, *block.extra);
    if (block.closes) advance();
  }
}

void ConjugateGradients::turn() {
  apply_mask(*gradient_);
  if (scaled_) {
    backend_.copy(*gradient_, *scaled_);
    backend_.multiply(*preconditioner_, *scaled_);
  }
  const DeviceArray& descent = scaled_ ? *scaled_ : *gradient_;
  const double square = backend_.dot(*gradient_, descent);
  const double share = gradient_square_ > 0 ? square / gradient_square_ : 0;
  gradient_square_ = square;
  backend_.scale(*direction_, static_cast<float>(share));
  backend_.axpy(1, descent, *direction_);
}

void ConjugateGradients::advance() {
  const auto length = static_cast<float>(projected_square_ > 0 ? gradient_square_ / projected_square_ : 0);
  backend_.axpy(length, *direction_, *volume_);
  for (ViewBlock& block : blocks_) {
    backend_.axpy(-length, *block.extra, *block.data);
    add_residual(*block.data);
  }
}

void ConjugateGradients::remember(RunState& state) {
  state.numbers.emplace_back("gradient_square", &gradient_square_);
  state.arrays.emplace_back("direction", direction_.get());
  for (const ViewBlock& block : blocks_)
    state.arrays.emplace_back(fmt::format("residual of views {}+", block.views.first), block.data.get());
}

}  // namespace backlit

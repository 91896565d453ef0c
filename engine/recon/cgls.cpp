#include "recon/cgls.hpp"

namespace backlit {

Cgls::Cgls(Backend& backend, std::shared_ptr<ProjectionSource> source, const VolumeGrid& grid,
           const ReconOptions& options)
    : IterativeReconstruction(backend, std::move(source), grid, options, 1, 2),
      gradient_(operator_->make_domain()),
      direction_(operator_->make_domain()) {}

void Cgls::prepare(ViewBlock& block) { block.extra = operator_->make_range(block.views.count); }

void Cgls::visit(int pass, ViewBlock& block) {
  if (pass == 0) {
    if (block.opens) backend_.fill(*gradient_, 0);
    backproject(*block.data, *gradient_, block.views);
    if (block.closes) turn();
  } else {
    if (block.opens) projected_square_ = 0;
    project(*direction_, *block.extra, block.views);
    projected_square_ += backend_.dot(*block.extra, *block.extra);
    if (block.closes) advance();
  }
}

void Cgls::turn() {
  const double square = backend_.dot(*gradient_, *gradient_);
  const double share = gradient_square_ > 0 ? square / gradient_square_ : 0;
  gradient_square_ = square;
  backend_.scale(*direction_, static_cast<float>(share));
  backend_.axpy(1, *gradient_, *direction_);
}

void Cgls::advance() {
  const auto length = static_cast<float>(projected_square_ > 0 ? gradient_square_ / projected_square_ : 0);
  backend_.axpy(length, *direction_, *volume_);
  for (ViewBlock& block : blocks_) {
    backend_.axpy(-length, *block.extra, *block.data);
    add_residual(backend_.dot(*block.data, *block.data));
  }
}

}  // namespace backlit

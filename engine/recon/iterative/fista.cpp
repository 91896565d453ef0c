#include "recon/iterative/fista.hpp"

#include <cmath>

namespace backlit {

Fista::Fista(const ReconInput& input, const FistaOptions& options)
    : SubsetRelaxation(input, options, options, options), before_(operator_->make_domain()) {
  keep_finished();
}

void Fista::begin() {
  SubsetRelaxation::begin();
  backend_.copy(*volume_, *before_);
}

void Fista::take(const MethodOptions& options) {
  SubsetRelaxation::take(options);
  backend_.copy(*volume_, *before_);
  t_ = 0;
}

void Fista::visit(int pass, ViewBlock& block) {
  if (&block == &blocks_.front()) extrapolate();
  SubsetRelaxation::visit(pass, block);
}

void Fista::extrapolate() {
  const double next = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
  const auto momentum = static_cast<float>((t_ - 1) / next);
  t_ = next;
  backlit::extrapolate(backend_, momentum, *volume_, *before_);
  std::swap(volume_, before_);
}

void Fista::remember(RunState& state) {
  state.numbers.emplace_back("t", &t_);
  state.arrays.emplace_back("x before", before_.get());
}

}  // namespace backlit

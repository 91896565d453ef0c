#include "recon/iterative/asd_pocs.hpp"

#include <cmath>

namespace backlit {
namespace {

constexpr double smoothed_at = 1e-4;  // 1/mm, 5 HU: smaller gradients do not count as edges

/// The box is applied after the data step, so that OS-SART does not clamp.
RelaxationOptions relaxation_of(const AsdPocsOptions& o) { return {o.relaxation, false}; }

}  // namespace

AsdPocs::AsdPocs(const ReconInput& input, const AsdPocsOptions& options)
    : SubsetRelaxation(input, options, options, relaxation_of(options)),
      asd_(options),
      views_(input.source),
      variation_(make_neighbour_penalty(NeighbourPenalty::Kind::tv, 2, 1, smoothed_at, input.grid.spacing)),
      neighbours_(neighbours_of(backend_)),
      before_(operator_->make_domain()),
      descent_(operator_->make_domain()) {
  keep_finished();
}

void AsdPocs::begin() {
  SubsetRelaxation::begin();
  look_at_noise();
}

void AsdPocs::take(const MethodOptions& options) {
  asd_ = dynamic_cast<const AsdPocsOptions&>(options);
  relaxation_ = relaxation_of(asd_);
  length_ = 0;
  look_at_noise();
}

void AsdPocs::look_at_noise() {
  if (options_.noise <= 0 && estimated_noise_ == 0) estimated_noise_ = known_noise(0, *views_);
  noise_ = options_.noise > 0 ? options_.noise : estimated_noise_;
  tolerance_ = noise_ * std::sqrt(static_cast<double>(operator_->range().count()));
}

void AsdPocs::visit(int pass, ViewBlock& block) {
  if (&block == &blocks_.front()) backend_.copy(*volume_, *before_);
  SubsetRelaxation::visit(pass, block);
  if (block.closes) keep_in_box();
  if (&block == &blocks_.back()) smooth();
}

void AsdPocs::keep_in_box() {
  backend_.clamp(*volume_, static_cast<float>(asd_.lower), static_cast<float>(asd_.upper));
  apply_mask(*volume_);
}

/// |x - from|; `from` is lost.
double AsdPocs::distance(const DeviceArray& from) {
  backend_.copy(from, *descent_);
  backend_.axpy(-1, *volume_, *descent_);
  return std::sqrt(backend_.dot(*descent_, *descent_));
}

void AsdPocs::smooth() {
  const double by_data = distance(*before_);
  if (length_ == 0) length_ = asd_.tv_length * by_data;
  backend_.copy(*volume_, *before_);
  for (std::int64_t n = 0; n < asd_.tv_steps; ++n) {
    neighbours_.stiffness(variation_, *volume_, *volume_, *descent_);
    apply_mask(*descent_);
    const double norm = std::sqrt(backend_.dot(*descent_, *descent_));
    if (!(norm > 0)) break;
    backend_.axpy(static_cast<float>(-length_ / norm), *descent_, *volume_);
  }
  const double by_variation = distance(*before_);
  // Uses the residual of the previous iteration: this iteration's needs another projection of the views.
  const double residual = residuals().empty() ? std::sqrt(data_square_) : residuals().back() * std::sqrt(data_square_);
  if (by_variation > asd_.tv_most * by_data && residual > tolerance_) length_ *= asd_.tv_fall;
  keep_in_box();
  relaxation_.relaxation *= asd_.relaxation_fall;
}

std::vector<std::pair<std::string, double>> AsdPocs::chosen() const {
  if (tolerance_ == 0) return {};
  return {{"subsets", static_cast<double>(subsets())}, {"noise", noise_}};
}

void AsdPocs::remember(RunState& state) {
  state.numbers.emplace_back("length", &length_);
  state.numbers.emplace_back("relaxation", &relaxation_.relaxation);
}

}  // namespace backlit

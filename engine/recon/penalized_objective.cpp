#include "recon/penalized_objective.hpp"

#include <fmt/format.h>

#include <numeric>
#include <span>

#include <backlit/core/error.hpp>

namespace backlit {

PenalizedObjective::PenalizedObjective(const ReconInput& input, const PwlsOptions& options,
                                       const SubsetOptions& subsets, int passes)
    : IterativeReconstruction(input, options, subsets, passes, options.nonnegative),
      weighted_(options.weights == PwlsOptions::Weights::transmission ||
                (options.weights == PwlsOptions::Weights::automatic && options.photons)),
      photons_(weighted_ ? options.photons : nullptr),
      views_(input.source) {
  const Scan& scan = input.source->scan();
  if (photons_ && static_cast<std::int64_t>(photons_->size()) != scan.view_count() * scan.detector.columns)
    throw InputError("pwls", fmt::format("{} numbers of photons for {} views of {} columns", photons_->size(),
                                         scan.view_count(), scan.detector.columns));
  if (photons_)
    mean_photons_ = std::accumulate(photons_->begin(), photons_->end(), 0.0) / static_cast<double>(photons_->size());
  if (options.penalty != PwlsOptions::Penalty::none) neighbours_ = &neighbours_of(input.backend);
  set_penalty(options);
}

void PenalizedObjective::set_penalty(const PwlsOptions& options) {
  strength_ = options.strength;
  edge_ = options.penalty_edge;
  using Kind = NeighbourPenalty::Kind;
  if (has_penalty())
    penalty_ = make_neighbour_penalty(options.penalty == PwlsOptions::Penalty::tv ? Kind::tv : Kind::qggmrf,
                                      options.penalty_p, options.penalty_q, options.penalty_edge, grid_.spacing);
}

void PenalizedObjective::take(const MethodOptions& options) {
  set_penalty(dynamic_cast<const PwlsOptions&>(options));
  chosen_.clear();
}

void PenalizedObjective::prepare(ViewBlock& block) {
  weights_.resize(blocks_.size());
  if (!weighted_) return;
  ArrayPtr& weights = weights_[static_cast<std::size_t>(&block - blocks_.data())];
  weights = operator_->make_range(block.views.count);
  backend_.axpy(-1, *block.data, *weights);
  backend_.exponential(*weights);
  if (photons_) weigh_by_photons(block.views, *weights);
}

void PenalizedObjective::weigh_by_photons(const Subset& views, DeviceArray& weights) {
  const Detector& d = views_->scan().detector;
  std::vector<float> factors;
  factors.reserve(static_cast<std::size_t>(views.count * d.pixels()));
  for (std::int64_t i = 0; i < views.count; ++i) {
    const auto of_view = std::span(*photons_).subspan(
        static_cast<std::size_t>((views.first + i * views.stride) * d.columns), static_cast<std::size_t>(d.columns));
    for (std::int64_t row = 0; row < d.rows; ++row)
      for (const float n : of_view) factors.push_back(static_cast<float>(n / mean_photons_));
  }
  const ArrayPtr scale = operator_->make_range(views.count);
  backend_.upload(factors, *scale);
  backend_.multiply(*scale, weights);
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
  choice_ = choose_lambda({}, options_.noise, backend_, *operator_, *views_, choice_);
  chosen_ = {{"noise", choice_.noise}};
  double weights = 0, rays = 0;  // A' W noise is smaller than A' noise by about the mean weight
  for (const ArrayPtr& w : weights_) {
    if (w) weights += backend_.sum(*w);
    if (w) rays += static_cast<double>(w->count());
  }
  const double smoothed = penalty_.kind == NeighbourPenalty::Kind::tv ? 1 : 4;  // docs/methods/pwls.md has the curves
  return smoothed * choice_.lambda / edge_ * (rays > 0 ? weights / rays : 1);
}

}  // namespace backlit

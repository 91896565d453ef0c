#include "recon/fdk/iterative_fdk.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>
#include "device/shared_arrays.hpp"
#include "recon/fdk/view_order.hpp"
#include "recon/operator_options.hpp"

namespace backlit {
namespace {

OperatorPair pair_of(const Backend& backend, const IterativeFdkOptions& options) {
  if (!options.filter.filters() || options.filter.hilbert())
    throw InputError(
        "filter", fmt::format("ifdk needs line integrals, which filter {} does not take", name(options.filter.window)),
        "choose a window of the ramp, or `method` fdk");
  return operator_pair(backend, options);
}

double square_norm(std::span<const float> values) {
  double sum = 0;
  for (float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum;
}

}  // namespace

IterativeFdk::IterativeFdk(const ReconInput& input, const IterativeFdkOptions& options)
    : backend_(input.backend),
      source_(
          in_packing_order(input.backend, input.source, input.grid, pair_of(backend_, options).back, options.filter)),
      grid_(input.grid),
      options_(options),
      change_(backend_, source_->scan(), grid_, pair_of(backend_, options).back, options.filter, seconds_),
      projector_(backend_.make_ct(grid_, source_->scan(), pair_of(backend_, options).forward)),
      volume_(projector_->make_domain()) {
  require_one_process(backend_, "ifdk");
}

void IterativeFdk::read_residual(std::int64_t first, std::int64_t count) {
  host_.resize(static_cast<std::size_t>(count * source_->scan().detector.pixels()));
  {
    Stopwatch watch(seconds_, "read");
    source_->read(first, count, host_);
  }
  if (residuals_.empty()) {  // f = 0
    data_square_ += square_norm(host_);
    return;
  }
  Stopwatch watch(seconds_, "project");
  if (!batch_ || batch_->shape().n2 != count) batch_ = projector_->make_range(count);
  projector_->forward(*volume_, *batch_, {first, count, 1}, Write::overwrite);
  projected_.resize(host_.size());
  backend_.download(*batch_, projected_);
  for (std::size_t i = 0; i < host_.size(); ++i) host_[i] -= projected_[i];
  residual_square_ += square_norm(host_);
}

Reconstruction::Status IterativeFdk::step() {
  if (static_cast<std::int64_t>(residuals_.size()) == options_.iterations) return Status::finished;
  read_residual(change_.done(), change_.batch());
  change_.add(host_);
  return change_.complete() ? end_iteration() : Status::more;
}

Reconstruction::Status IterativeFdk::end_iteration() {
  if (residuals_.empty()) residual_square_ = data_square_;
  residuals_.push_back(data_square_ > 0 ? std::sqrt(residual_square_ / data_square_) : 0);
  residual_square_ = 0;
  const double share = residuals_.size() == 1 ? 1 : options_.relaxation;
  backend_.axpy(static_cast<float>(share), change_.volume(), *volume_);
  if (options_.nonnegative) backend_.clamp(*volume_, 0, std::numeric_limits<float>::max());
  backend_.finish();
  if (static_cast<std::int64_t>(residuals_.size()) == options_.iterations) return Status::finished;
  change_.restart();
  return Status::iteration_done;
}

ReconProgress IterativeFdk::progress() const {
  const std::int64_t views = source_->scan().view_count();
  const auto iteration = static_cast<std::int64_t>(residuals_.size());
  const std::int64_t done = iteration == options_.iterations ? 0 : change_.done();
  return {"iterate", iteration * views + done, options_.iterations * views, "views", iteration};
}

Volume IterativeFdk::download() {
  Stopwatch watch(seconds_, "download");
  Volume volume(grid_);
  backend_.download(*volume_, volume.values.span());
  return volume;
}

std::string IterativeFdk::variant() const {
  return fmt::format("{}; {}", projector_->variant(), change_.backprojector().variant());
}

}  // namespace backlit

#include "recon/iterative/view_sart.hpp"

#include <algorithm>
#include <cmath>

#include "recon/subset_plan.hpp"

namespace backlit {

ViewSartReconstruction::ViewSartReconstruction(const ReconInput& input, const SartInPlaceOptions& options)
    : source_(input.source),
      grid_(input.grid),
      options_(options),
      order_(subset_order(options.subset_order, source_->scan().view_count())),
      batch_(1, source_->scan().view_count()),
      host_(static_cast<std::size_t>(source_->scan().detector.pixels())) {
  sart_ = input.backend.make_view_sart(grid_, source_->scan(), options.operation);
}

Reconstruction::Status ViewSartReconstruction::step() {
  const std::int64_t views = source_->scan().view_count();
  if (done_ == views * options_.iterations) return Status::finished;
  if (read_ < views) {
    read();
    return Status::more;
  }
  correct();
  if (done_ % views != 0) return Status::more;
  const double square = sart_->take_residual();
  residuals_.push_back(data_square_ > 0 ? std::sqrt(square / data_square_) : 0);
  return done_ == views * options_.iterations ? Status::finished : Status::iteration_done;
}

void ViewSartReconstruction::read() {
  {
    Stopwatch watch(seconds_, "read");
    source_->read(read_, 1, host_);
  }
  Stopwatch watch(seconds_, "upload");
  sart_->set_view(read_++, host_);
  for (const float value : host_) data_square_ += static_cast<double>(value) * static_cast<double>(value);
}

/// Corrects for a batch of views within the iteration.
void ViewSartReconstruction::correct() {
  Stopwatch watch(seconds_, "iterate");
  const std::int64_t views = source_->scan().view_count(), at = done_ % views;
  const std::int64_t count = std::min(batch_.size(), views - at);
  for (std::int64_t n = at; n < at + count; ++n)
    sart_->correct(order_[static_cast<std::size_t>(n)], static_cast<float>(options_.relaxation), options_.nonnegative);
  sart_->finish();
  done_ += count;
  if (count == batch_.size()) batch_.took(watch.elapsed());
}

ReconProgress ViewSartReconstruction::progress() const {
  const std::int64_t views = source_->scan().view_count();
  if (read_ < views) return {"read", read_, views, "views", 0};
  return {"iterate", done_, views * options_.iterations, "views", static_cast<std::int64_t>(residuals_.size())};
}

Volume ViewSartReconstruction::download() {
  Stopwatch watch(seconds_, "download");
  Volume volume(grid_);
  sart_->download(volume.values.span());
  return volume;
}

}  // namespace backlit

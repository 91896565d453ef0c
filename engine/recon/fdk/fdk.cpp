#include "recon/fdk/fdk.hpp"

#include "device/shared_arrays.hpp"
#include "recon/fdk/view_order.hpp"
#include "recon/operator_options.hpp"

namespace backlit {

FdkReconstruction::FdkReconstruction(const ReconInput& input, const FdkOptions& options)
    : FdkReconstruction(input, operator_options(options, Model::voxel_driven), options.filter) {}

FdkReconstruction::FdkReconstruction(const ReconInput& input, const CtOptions& ct, const FilterOptions& filter)
    : backend_(input.backend),
      source_(in_packing_order(input.backend, input.source, input.grid, ct, filter)),
      grid_(input.grid),
      sum_(input.backend, source_->scan(), input.grid, ct, filter, seconds_, &spans_) {}

Reconstruction::Status FdkReconstruction::step() {
  if (sum_.complete()) return Status::finished;
  if (sum_.done() == 0) look_at_rows_in_use(backend_, *source_, grid_, true);
  const std::int64_t count = sum_.batch();
  host_.resize(static_cast<std::size_t>(count * source_->scan().detector.pixels()));
  {
    const TimedSpan span(seconds_, &spans_, "read", sum_.done(), count, "views");
    source_->read(sum_.done(), count, host_);
  }
  sum_.add(host_);
  return sum_.complete() ? Status::finished : Status::more;
}

ReconProgress FdkReconstruction::progress() const {
  return {"backproject", sum_.done(), source_->scan().view_count(), "views", 0};
}

Volume FdkReconstruction::download() {
  const DeviceArray& sum = sum_.volume();
  Stopwatch watch(seconds_, "download");
  Volume volume(held_part(backend_, grid_));
  backend_.download(sum, volume.values.span());
  return volume;
}

}  // namespace backlit

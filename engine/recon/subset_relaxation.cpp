#include "recon/subset_relaxation.hpp"

#include <limits>

namespace backlit {
namespace {

constexpr float grazing = 1e-6f;  // rays and voxels whose sum is below this share of the largest do not count

}  // namespace

SubsetRelaxation::SubsetRelaxation(Backend& backend, std::shared_ptr<ProjectionSource> source, const VolumeGrid& grid,
                                   const ReconOptions& options, std::int64_t subsets)
    : IterativeReconstruction(backend, std::move(source), grid, options, subsets, 1),
      ones_(operator_->make_domain()),
      change_(operator_->make_domain()) {
  backend_.fill(*ones_, 1);
}

void SubsetRelaxation::prepare(ViewBlock& block) {
  block.extra = operator_->make_range(block.views.count);
  DeviceArray& sums = scratch(block);
  operator_->forward(*ones_, sums, block.views, Write::overwrite);
  backend_.fill(*block.extra, 1);
  backend_.divide(sums, *block.extra, grazing * backend_.maximum(sums));
}

void SubsetRelaxation::visit(int, ViewBlock& block) {
  if (block.opens) backend_.fill(*change_, 0);
  DeviceArray& residual = scratch(block);
  project(*volume_, residual, block.views);
  backend_.scale(residual, -1);
  backend_.axpy(1, *block.data, residual);
  add_residual(backend_.dot(residual, residual));
  backend_.multiply(*block.extra, residual);
  backproject(residual, *change_, block.views);
  if (block.closes) update(block.subset);
}

void SubsetRelaxation::update(std::int64_t subset) {
  const DeviceArray& sums = column_sums(subset);
  backend_.divide(sums, *change_, grazing * backend_.maximum(sums));
  backend_.axpy(static_cast<float>(options_.relaxation), *change_, *volume_);
  if (options_.nonnegative) backend_.clamp(*volume_, 0, std::numeric_limits<float>::max());
}

}  // namespace backlit

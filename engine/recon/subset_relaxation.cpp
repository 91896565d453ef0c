#include "recon/subset_relaxation.hpp"

#include <limits>

namespace backlit {

SubsetRelaxation::SubsetRelaxation(const ReconInput& input, const IterationOptions& options,
                                   const SubsetOptions& subsets, const RelaxationOptions& relaxation)
    : IterativeReconstruction(input, options, subsets, 1, relaxation.nonnegative),
      change_(operator_->make_domain()),
      relaxation_(relaxation),
      ones_(operator_->make_domain()) {
  backend_.fill(*ones_, 1);
  apply_mask(*ones_);
}

void SubsetRelaxation::prepare(ViewBlock& block) {
  block.extra = operator_->make_range(block.views.count);
  DeviceArray& sums = scratch(block);
  operator_->forward(*ones_, sums, block.views, Write::overwrite);
  backend_.fill(*block.extra, 1);
  backend_.divide(sums, *block.extra, grazing * backend_.maximum(sums));
}

void SubsetRelaxation::visit(int, ViewBlock& block) {
  DeviceArray& residual = scratch(block);
  project(*volume_, residual, block.views);
  backend_.subtract_from(*block.data, residual);
  add_residual(residual);
  backend_.multiply(*block.extra, residual);
  if (relax(residual, block)) return;
  if (block.opens) backend_.fill(*change_, 0);
  backproject(residual, *change_, block.views);
  if (block.closes) update(block.subset);
}

/// The whole correction in one pass, where the operator can and the subset is one block.
bool SubsetRelaxation::relax(const DeviceArray& residual, const ViewBlock& block) {
  if (!block.opens || !block.closes) return false;
  const float least = relaxation_.nonnegative ? 0 : std::numeric_limits<float>::lowest();
  if (!relax_at_once(residual, *volume_, static_cast<float>(relaxation_.relaxation), least, block.views)) return false;
  apply_mask(*volume_);
  return true;
}

void SubsetRelaxation::update(std::int64_t subset) {
  const ColumnSums sums = column_sums(subset);
  backend_.divide(sums.values, *change_, sums.floor);
  backend_.axpy(static_cast<float>(relaxation_.relaxation), *change_, *volume_);
  constrain(*volume_);
}

}  // namespace backlit
